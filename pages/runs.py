"""Runs: what is in the store, one by one."""

import pandas as pd
import streamlit as st

from nearid_core import figures
from nearid_core.runs import Run, RunStore
from pages.shared import routes
from pages.shared.inspection import compare_settings, inspect
from pages.shared.stores import demo_store, explain_unchangeable, may_change, queue, user_store
from pages.shared.wording import count, moment, plain

routes.enter()
