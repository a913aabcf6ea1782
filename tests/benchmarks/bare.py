"""An empty page with one field: what Streamlit itself costs."""

import streamlit as st

st.text_input("Nodes", key="cluster.node_count")
