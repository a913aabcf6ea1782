"""A visitor without a browser: speaks to a running application as its page does.

Streamlit's messages are internal; the pinned version is the one that they are read for.
"""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Origin, Subprotocol

ANSWER_S = 120.0
_SAVED = re.compile(r"Saved as design (\d+), revision (\d+)")


class BrokenPageError(Exception):
    """The page showed an exception."""


@dataclass
class Session:
    """One visitor of one application.

    Attributes:
        url: Address of the application, "http://127.0.0.1:8501".
        page: Screen that is open, "plan"; empty for the first.
        widgets: Ids of the widgets that are drawn, by the key that the page gave them.
        errors: Lines of errors and warnings that the last run showed.
        saved: Design and revision of each save that was acknowledged.
    """

    url: str
    page: str = "plan"
    widgets: dict[str, str] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)
    saved: list[tuple[int, int]] = field(default_factory=list)
    _socket: ClientConnection | None = None
    _query: str = ""
    _states: dict[str, WidgetState] = field(default_factory=dict)

    async def __aenter__(self) -> Self:
        """Connect and run the page for the first time."""
        address = self.url.replace("http", "ws", 1) + "/_stcore/stream"
        self._socket = await connect(
            address, subprotocols=[Subprotocol("streamlit")], origin=Origin(self.url), max_size=None
        )
        await self.run()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leave."""
        if self._socket is not None:
            await self._socket.close()

    async def type(self, key: str, text: str) -> None:
        """Type into a field and leave it."""
        await self._commit(WidgetState(id=self.widgets[key], string_value=text))

    async def open(self, key: str) -> None:
        """Open a popover."""
        await self._commit(WidgetState(id=self.widgets[key], bool_value=True))

    async def press(self, key: str) -> None:
        """Press a button."""
        await self.run(WidgetState(id=self.widgets[key], trigger_value=True))

    def forget(self, key: str) -> None:
        """Take no part any more in what a widget holds, as after a popover that the page has closed."""
        self._states = {name: state for name, state in self._states.items() if not name.endswith(f"-{key}")}

    async def _commit(self, state: WidgetState) -> None:
        self._states[state.id] = state
        await self.run()

    async def run(self, *once: WidgetState) -> None:
        """Run the page with all that its widgets hold, and wait until it has finished.

        Raises:
            BrokenPageError: It showed an exception.
        """
        assert self._socket is not None, "use it in a block"
        message = BackMsg()
        message.rerun_script.query_string = self._query
        message.rerun_script.page_name = self.page
        message.rerun_script.widget_states.widgets.extend([*self._states.values(), *once])
        self.widgets, self.errors = {}, []
        await self._socket.send(message.SerializeToString())
        async with asyncio.timeout(ANSWER_S):
            while not await self._heard(self._socket):
                pass

    async def _heard(self, socket: ClientConnection) -> bool:
        """Take in one message; whether the run is over."""
        data = await socket.recv(decode=False)
        message = ForwardMsg.FromString(data)
        kind = message.WhichOneof("type")
        if kind == "delta":
            self._see(message)
        elif kind == "page_info_changed":
            self._query = message.page_info_changed.query_string
        # A run that another replaces (a switch to another screen) finishes early; the last one counts.
        return bool(kind == "script_finished" and message.script_finished in (0, 1))

    def _see(self, message: ForwardMsg) -> None:
        delta = message.delta
        if delta.WhichOneof("type") == "add_block":
            self._name(delta.add_block.popover.id)
            return
        element = delta.new_element
        kind = element.WhichOneof("type")
        if kind == "exception":
            raise BrokenPageError(element.exception.message)
        if kind == "alert":
            found = _SAVED.search(element.alert.body.replace("\\", ""))
            if found:
                self.saved.append((int(found.group(1)), int(found.group(2))))
            else:
                self.errors.append(element.alert.body)
        elif kind is not None and hasattr(getattr(element, kind), "id"):
            self._name(getattr(element, kind).id)

    def _name(self, widget_id: str) -> None:
        """Keep a widget under its key: `$$ID-digest-key`."""
        parts = widget_id.split("-", 2)
        if len(parts) == 3 and parts[2] != "None":
            self.widgets[parts[2]] = widget_id
