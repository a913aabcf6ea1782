"""Settings of documents come back as they were kept; what is none of them is refused in one line."""

from datetime import date

import pytest

from planner.core.errors import PlannerError
from planner.documents import Letterhead
from planner.documents.settings import design_json, organisation_json, settings_of
from tests.documents.test_letterhead import png

WHOLE = Letterhead(
    logo=png(60, 20), contact="Zoë <b>", valid_until=date(2027, 3, 1), disclaimer="", customer="شركة 株式会社",
    classification="TLP:AMBER",
)  # fmt: skip


def test_settings_come_back_whole():
    assert settings_of(organisation_json("Letter", WHOLE), design_json(WHOLE)) == ("Letter", WHOLE)


def test_what_was_never_kept_is_the_default():
    assert settings_of("{}", "{}") == ("A4", Letterhead())
    paper, found = settings_of("{}", design_json(WHOLE))
    assert (paper, found.logo, found.disclaimer) == ("A4", b"", "Budgetary, not an offer")
    assert (found.customer, found.valid_until) == ("شركة 株式会社", date(2027, 3, 1))


@pytest.mark.parametrize(
    "kept",
    ["", "[]", '{"customer": 1}', '{"logo": "?"}', '{"logo": "R0lGODlh"}', '{"valid_until": "soon"}', '{"paper": "A3"}',
     "[" * 100_000],
)  # fmt: skip
def test_what_is_no_setting_is_refused_in_one_line(kept):
    with pytest.raises(PlannerError) as refused:
        settings_of(kept, "{}")
    assert "\n" not in refused.value.message
