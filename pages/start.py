"""The hidden first page: it leads to Plan and keeps the query."""

import streamlit as st

from pages._ui import frame

frame.enter()
st.switch_page("pages/plan.py", query_params=st.query_params.to_dict())
