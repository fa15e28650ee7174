"""Reads every Parquet file of a snapshot with three readers that are not ours, and
prints what they found as JSON: by path and reader the rows, and of each column the
type, the nulls and a sum. Integers, days since 1970, microseconds since 1970, tenths
and the bytes of texts are summed."""

import datetime
import decimal
import json
import pathlib
import sys

import duckdb
import pandas
import pyarrow.parquet

EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)


def amount(value):
    if isinstance(value, str):
        return len(value.encode())
    if isinstance(value, datetime.datetime):
        return (value - EPOCH) // datetime.timedelta(microseconds=1)
    if isinstance(value, datetime.date):
        return (value - EPOCH.date()).days
    if isinstance(value, decimal.Decimal):
        return int(value * 10)
    return int(value)


def column(kind, values):
    there = [v for v in values if v is not None and v is not pandas.NA and v is not pandas.NaT]
    return {"type": kind, "nulls": len(values) - len(there), "sum": sum(amount(v) for v in there)}


def by_arrow(path):
    t = pyarrow.parquet.ParquetFile(path).read()
    return t.num_rows, {f.name: column(str(f.type), t[f.name].to_pylist()) for f in t.schema}


def by_pandas(path):
    t = pandas.read_parquet(path, dtype_backend="pyarrow")
    return len(t), {n: column(str(t[n].dtype.pyarrow_dtype), t[n].tolist()) for n in t.columns}


def by_duckdb(path):
    sums = {"VARCHAR": "strlen({})", "DATE": "({} - DATE '1970-01-01')", "TIMESTAMP WITH TIME ZONE": "epoch_us({})",
            "BOOLEAN": "{}::INTEGER", "DECIMAL(6,1)": "{} * 10"}
    columns = {}
    con = duckdb.connect()
    for name, kind, *_ in con.execute("DESCRIBE SELECT * FROM read_parquet(?)", [path]).fetchall():
        quoted = '"' + name + '"'
        nulls, total = con.execute(f"SELECT count(*) - count({quoted}), coalesce(sum({sums.get(kind, '{}').format(quoted)}), 0)::BIGINT"
                                   " FROM read_parquet(?)", [path]).fetchone()
        columns[name] = {"type": kind, "nulls": nulls, "sum": total}
    return con.execute("SELECT count(*) FROM read_parquet(?)", [path]).fetchone()[0], columns


root = pathlib.Path(sys.argv[1])
found = {}
for path in sorted(root.rglob("*.parquet")):
    readers = {"arrow": by_arrow, "pandas": by_pandas, "duckdb": by_duckdb}
    answers = {name: read(str(path)) for name, read in readers.items()}
    found[path.relative_to(root).as_posix()] = {n: {"rows": rows, "columns": columns} for n, (rows, columns) in answers.items()}
json.dump(found, sys.stdout)
