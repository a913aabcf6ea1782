"""Names of files out of any name: every script is kept, and no system refuses them."""

import io
import unicodedata
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.documents.names import file_stem
from planner.documents.package import zipped

FORBIDDEN = set('<>:"/\\|?*. ')
"""Signs that Windows refuses in a name, or at its end."""


@pytest.mark.parametrize(
    ("title", "stem"),
    [
        ("شركة الاتصالات", "شركة-الاتصالات"),
        ("中国人工智能 计算中心", "中国人工智能-计算中心"),
        ("ストレージ設計", "ストレージ設計"),
        ("서버 설계", "서버-설계"),
        ("Größe <b>&amp;{x}", "größe-b-amp-x"),
        ("../../etc/passwd", "etc-passwd"),
        ("C:\\Windows\\con", "c-windows-con"),
        ("a\u202egnp.exe", "a-gnp-exe"),
        ("CON", "design-con"),
        ("lpt1", "design-lpt1"),
        ("🚀", "design"),
        ("", "design"),
        ("\ud800", "design"),
    ],
)
def test_letters_of_every_script_stay(title, stem):
    assert file_stem(title) == stem


def test_a_long_title_leaves_room_for_the_revision():
    stem = file_stem("模" * 500, "design 12, revision 3")
    assert stem.endswith("-design-12-revision-3")
    assert len(f"{stem}-plan.schema.json".encode()) < 255


@given(st.text(max_size=300), st.text(max_size=60))
def test_any_name_is_safe(title, revision):
    stem = file_stem(title, revision)
    assert stem
    assert not FORBIDDEN & set(stem)
    assert all(c == "-" or unicodedata.category(c)[0] in "LNM" for c in stem)
    assert len(stem.encode()) <= 160
    with zipfile.ZipFile(io.BytesIO(zipped({f"{stem}.txt": b"x"}))) as archive:
        assert archive.namelist() == [f"{stem}.txt"]
