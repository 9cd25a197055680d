"""A system that claims nothing."""

from callproof_reference.invocations.service import Service
from callproof_reference.wire import Wire

Service(Wire(), features="").peer.serve()
