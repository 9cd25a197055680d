#!/usr/bin/env node
/**
 * The executor as an adapter: `callproof test "stdio:node examples/executor-node/main.js"`.
 *
 * With `--real-time` it uses the machine's clock and does not claim the virtual clock.
 */

import { Adapter } from "./src/adapter.js";
import { RealClock, VirtualClock } from "./src/clock.js";
import { splitLines, Wire } from "./src/wire.js";

const unknown = process.argv.slice(2).filter((word) => word !== "--real-time");
if (unknown.length > 0) {
  process.stderr.write(`unknown argument ${unknown[0]}; the only one is --real-time\n`);
  process.exit(2);
}

const wire = new Wire((line) => process.stdout.write(line));
const adapter = new Adapter(wire, process.argv.includes("--real-time") ? new RealClock() : new VirtualClock());

process.stdin.on(
  "data",
  splitLines((line) => wire.receive(line, (request) => adapter.handle(request))),
);
// The end of the input means stop, even if calls are still open.
process.stdin.on("end", () => process.exit(0));
