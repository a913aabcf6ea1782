"""The application: what surrounds every screen, and the screen that was asked for."""

from pages._ui import frame

frame.surround().run()
