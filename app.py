"""The application: page configuration, navigation and the link in the address bar."""

import streamlit as st

from pages._ui import frame

st.set_page_config(page_title="NVMe-oF storage planner", layout="wide")
page = st.navigation(frame.pages(), position="top")
frame.resume()
frame.restore()
page.run()
