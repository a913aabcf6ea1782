from tests.pages.visitor import *
import pages._ui.session as s, sys
def test_x(monkeypatch):
    at=visit(); open_panel(at,"save.open"); at.text_input(key="name").set_value("Once")
    print(sys.modules.get("pages._ui.session") is s, s.__file__)
    import traceback
    o=s.begin
    def w():
        print("BEGIN"); o(); print("END")
    monkeypatch.setattr(s,"begin",w)
    monkeypatch.setattr(sys.modules["pages._ui.session"],"begin",w)
    press(at,"save.do"); print(at.query_params)
    at.run(); print(at.query_params)
