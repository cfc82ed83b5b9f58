# SPDX-License-Identifier: Apache-2.0
"""Stands in for tests/conftest.py of aiokafka, which starts a broker of its own; here one runs already: $BROKERS.

The file that it replaces lies beside it as own_conftest.py, and brings all that is not here.
"""
import os

import pytest

from .own_conftest import *
from .own_conftest import KafkaServer


def pytest_collection_modifyitems(items):
    """Leaves the tests that want a broker."""
    items[:] = [item for item in items if "kafka_server" in item.fixturenames]


@pytest.fixture(scope="session")
def kafka_server():
    host, port = os.environ["BROKERS"].split(":")
    return KafkaServer(host, int(port), ssl_port=0, sasl_plain_port=0, sasl_ssl_port=0, container=None)


# Each test class asks for these two, also where no test of it uses them.


@pytest.fixture(scope="session")
def ssl_folder():
    return None


@pytest.fixture(scope="class")
def kerberos_utils():
    return None
