"""A client for the labour market data API.

It uses the code that openapi-python-client generates into the package `generated` next to this
file. A list is an iterator over the rows of all its pages. After a 429 the client waits and sends
the request again. After an error of the server it repeats a read. It collects the attribution
statements of the rows.
"""

import datetime
import email.utils
import importlib
import inspect
import pkgutil
import random
import time

import httpx

from . import generated
from .generated import api


class Error(Exception):
    """An error response of the API: its code, message, request id and details."""

    def __init__(self, error):
        super().__init__(f"{error.code}: {error.message} ({error.request_id})")
        self.code, self.message, self.request_id = error.code, error.message, error.request_id
        self.details = error.details or []


class Waiting(httpx.HTTPTransport):
    """An HTTP transport that sends a request again after a 429 or a 5xx response.

    It waits as long as Retry-After says. Without Retry-After it repeats only GET and HEAD, with
    waits that double after each attempt.
    """

    attempts = 6  # largest number of attempts without Retry-After

    def __init__(self, longest_wait, first_wait, **options):
        super().__init__(**options)
        self.longest_wait = longest_wait  # in seconds; if Retry-After asks for more, the response is returned
        self.first_wait = first_wait  # in seconds; wait after the first attempt without Retry-After

    def handle_request(self, request):
        attempt = 0
        while True:
            response = super().handle_request(request)
            attempt += 1
            wait = self.wait(request, response, attempt)
            if wait is None:
                return response
            response.close()
            time.sleep(wait)

    def wait(self, request, response, attempt):
        """Returns the seconds to wait before the next attempt, or None if there is none."""
        if response.status_code != 429 and response.status_code < 500:
            return None
        asked = seconds_of(response.headers.get("Retry-After", ""))
        if asked > 0:
            return asked if asked <= self.longest_wait else None
        if request.method not in ("GET", "HEAD") or attempt >= self.attempts:
            return None
        return min(self.longest_wait, self.first_wait * 2 ** (attempt - 1) * random.uniform(0.8, 1.2))


def seconds_of(retry_after):
    """Returns the wait in seconds that the header Retry-After states: a number, or a date as a proxy may send it."""
    if retry_after.isdecimal():
        return int(retry_after)
    try:
        at = email.utils.parsedate_to_datetime(retry_after)
        return max(0, (at - datetime.datetime.now(datetime.timezone.utc)).total_seconds())
    except (TypeError, ValueError):  # empty, or neither of both
        return 0


class Client:
    """A client of one server. Each operation of the API is a method with the operation's name."""

    def __init__(self, base_url, key, longest_wait=3600, first_wait=1, **transport):
        options = {"transport": Waiting(longest_wait, first_wait, **transport)}
        self.generated = generated.AuthenticatedClient(
            base_url=base_url, token=key, httpx_args=options, raise_on_unexpected_status=True)
        self.operations = {
            name.rsplit(".", 1)[1]: name
            for _, name, is_package in pkgutil.walk_packages(api.__path__, api.__name__ + ".") if not is_package}

    def __getattr__(self, operation):
        if operation not in self.operations:
            raise AttributeError(f"the service has no operation {operation}")
        call = importlib.import_module(self.operations[operation]).sync
        known = inspect.signature(call).parameters

        def answer(**parameters):
            # The generated code has type_ for type, which is a built-in name of Python.
            named = {name if name in known else name + "_": value for name, value in parameters.items()}
            return Answer(lambda **page: call(client=self.generated, **named, **page))

        return answer


class Answer:
    """The response of one operation. Iterating over it yields the rows of all its pages."""

    def __init__(self, call):
        self.call = call
        self.statements = {}  # attribution statements of the rows read so far
        self.people = None  # meta.people of the last page that was read, as a dictionary; None = there is none

    def read(self, **page):
        answer = self.call(**page)
        if hasattr(answer, "error"):
            raise Error(answer.error)
        for source in getattr(answer, "sources", None) or []:
            self.statements[source.attribution_statement] = None
        if people := getattr(getattr(answer, "meta", None), "people", None):
            self.people = people.to_dict()
        return answer

    def object(self):
        """Returns the data of an operation whose response has a single object."""
        return self.read().data

    def __iter__(self):
        page = {}
        while True:
            answer = self.read(**page)
            for row in answer.data:
                if statement := getattr(row, "attribution_statement", None):
                    self.statements[statement] = None
                yield row
            cursor = getattr(answer.meta, "next_cursor", None)
            if cursor:
                page = {"cursor": cursor}
            elif hasattr(answer.meta, "total") and answer.meta.page * answer.meta.limit < answer.meta.total:
                page = {"page": answer.meta.page + 1}
            else:
                return

    def attribution(self):
        """Returns the statements to show with the rows read so far, without duplicates."""
        return list(self.statements)

    def to_pandas(self):
        """Returns all rows as a data frame. A count of people has a column for the number and one for its status."""
        import pandas

        rows = [row.to_dict() for row in self]
        frame = pandas.json_normalize(rows, sep="_")
        for name in [n for n in frame.columns if counts_people(frame[n])]:
            values = frame[name]
            small, missing = values == "<5", values.isna()
            status = pandas.Series("number", index=values.index).mask(small, "under_5").mask(missing, "not_published")
            frame[name] = pandas.array([None if s or m else int(v) for v, s, m in zip(values, small, missing)], dtype="Int64")
            frame.insert(frame.columns.get_loc(name) + 1, name + "_status", status)
        frame.attrs["attribution"] = self.attribution()
        frame.attrs["people"] = self.people
        return frame


# The columns of lists that hold counts of people.
COUNTS = {"people_turned_down", "value", "year_on_year_previous_value"}


def counts_people(column):
    return column.name in COUNTS
