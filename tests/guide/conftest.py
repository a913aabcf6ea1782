"""A figure that is missed shows its values wherever the comparison stands."""

import pytest

pytest.register_assert_rewrite("tests.guide.cases")
