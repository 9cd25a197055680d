/**
 * JSON-RPC over lines: one message is one line of UTF-8 (adapter protocol, Framing).
 *
 * @typedef {{id: any, method: string, params: import("./json.js").JsonObject, flaw: string | undefined}} Request
 */

import { stringify } from "./json.js";
import { NotJson, parse } from "./parse.js";

const LINE_FEED = 0x0a;

/** An error as the answer to a request. */
export class RpcError extends Error {
  /**
   * @param {number} code
   * @param {string} message
   * @param {any} [data]
   */
  constructor(code, message, data) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

export class Wire {
  #write;
  #longest = 16 * 1024 * 1024;
  #numbers = 0;
  /** @type {Map<any, (answer: import("./outcome.js").Answer) => void>} */
  #waiting = new Map();

  /** @param {(line: string) => void} write Sends one line. */
  constructor(write) {
    this.#write = write;
  }

  /** @param {number} frameBytes The longest line that the other side reads. */
  limit(frameBytes) {
    this.#longest = frameBytes;
  }

  /**
   * @param {string} method
   * @param {any} params
   * @param {(answer: import("./outcome.js").Answer) => void} onAnswer
   */
  request(method, params, onAnswer) {
    this.#numbers += 1;
    this.#waiting.set(this.#numbers, onAnswer);
    this.#send({ id: this.#numbers, method, params });
  }

  /**
   * @param {string} method
   * @param {any} params
   */
  notify(method, params) {
    this.#send({ method, params });
  }

  /**
   * Whether a record would fit into one line, with room for the message around it.
   *
   * @param {any} params
   */
  fits(params) {
    return Buffer.byteLength(stringify(params), "utf8") + 1024 <= this.#longest;
  }

  /**
   * Read one line: an answer goes to the code that asked, a request to the handler.
   *
   * @param {Buffer} line
   * @param {(request: Request) => any} handle Its answer is sent if the request has an id.
   */
  receive(line, handle) {
    const read = readable(line);
    if (read === undefined)
      return this.#send({ id: null, error: { code: -32700, message: "the line is not a JSON object in UTF-8" } });
    const { value: message, flaw } = read;
    if (!message.has("method")) return this.#answered(message, flaw);
    const id = message.get("id");
    try {
      const result = handle({ id, method: message.get("method"), params: message.get("params") ?? new Map(), flaw });
      if (id !== undefined && result !== undefined) this.answer(id, result);
    } catch (error) {
      const {
        code,
        message: text,
        data,
      } = error instanceof RpcError ? error : new RpcError(-32603, "the message broke the adapter");
      if (!(error instanceof RpcError)) process.stderr.write(`${error.stack}\n`);
      if (id !== undefined) this.#send({ id, error: { code, message: text, data } });
    }
    return undefined;
  }

  /**
   * @param {any} id
   * @param {any} result
   */
  answer(id, result) {
    this.#send({ id, result });
  }

  #answered(message, flaw) {
    const onAnswer = this.#waiting.get(message.get("id"));
    this.#waiting.delete(message.get("id"));
    onAnswer?.({ result: message.get("result"), error: message.get("error"), flaw });
  }

  #send(message) {
    this.#write(`${stringify({ jsonrpc: "2.0", ...message })}\n`);
  }
}

/**
 * Put lines together from the pieces in which they arrive.
 *
 * @param {(line: Buffer) => void} onLine
 */
export function splitLines(onLine) {
  /** @type {Buffer[]} */
  let pieces = [];
  return (/** @type {Buffer} */ chunk) => {
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, from)) {
      const line = Buffer.concat([...pieces, chunk.subarray(from, end)]);
      pieces = [];
      from = end + 1;
      onLine(line);
    }
    pieces.push(chunk.subarray(from));
  };
}

function readable(line) {
  try {
    const read = parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(line));
    return read.value instanceof Map ? read : undefined;
  } catch (error) {
    if (error instanceof NotJson || error instanceof TypeError) return undefined;
    throw error;
  }
}
