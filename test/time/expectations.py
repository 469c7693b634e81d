"""Works out expectations.tsv: what each phrase means, by Python's calendar and zone rules.

Each phrase stands here beside its meaning, written by hand; nothing reads the phrase. Run with Python 3.11 or newer:
python3 expectations.py > expectations.tsv
"""

import calendar
from datetime import date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

UTC = timezone.utc
# Clocks on the wall around both changes of the clocks, and, with fold 1, in an hour that comes a second time.
NOWS = {
    "UTC": ["2026-03-07 17:00", "2026-03-08 05:30", "2026-03-08 16:00", "2026-10-31 16:00", "2026-11-01 04:30", "2026-11-01 06:15", "2026-12-31 23:30"],
    "America/New_York": ["2026-03-07 12:00", "2026-03-08 00:30", "2026-03-08 12:00", "2026-10-31 12:00", "2026-11-01 00:30", "2026-11-01 01:15 fold", "2026-11-01 12:00"],
    "Europe/Berlin": ["2026-03-28 12:00", "2026-03-29 00:30", "2026-03-29 12:00", "2026-10-24 12:00", "2026-10-25 00:30", "2026-10-25 02:15 fold", "2026-10-25 12:00"],
    "Asia/Kolkata": ["2026-03-07 12:00", "2026-03-08 00:30", "2026-03-29 02:45", "2026-10-31 23:50", "2026-11-01 00:30", "2026-02-27 23:59", "2026-12-31 23:30"],
    "Australia/Lord_Howe": ["2026-04-04 12:00", "2026-04-05 00:30", "2026-04-05 01:45 fold", "2026-04-05 12:00", "2026-10-03 12:00", "2026-10-04 00:30", "2026-10-04 12:00"],
}
MON, TUE, WED, THU, FRI, SAT, SUN = range(7)


class Here:
    def __init__(self, now, zone):
        self.now, self.zone = now, zone
        self.local = now.astimezone(zone)
        self.today = self.local.date()

    def at(self, day, hour, minute=0, second=0):
        """Of an hour that comes twice the first; one that is left out counts from the hour before (fold 0 does both)."""
        return datetime(day.year, day.month, day.day, hour, minute, second, tzinfo=self.zone, fold=0).astimezone(UTC)

    def ahead(self, days, *time):
        return self.at(self.today + timedelta(days=days), *time)

    def first(self, candidates):
        return next(instant for instant in candidates if instant > self.now)

    def time(self, *time):
        return self.first([self.ahead(0, *time), self.ahead(1, *time)])

    def coming(self, weekday, *time):
        return self.first(self.ahead(days, *time) for days in range(15) if (self.today + timedelta(days)).weekday() == weekday)

    def this(self, weekday, *time):
        return self.ahead(next(days for days in range(7) if (self.today + timedelta(days)).weekday() == weekday), *time)

    def next(self, weekday, *time):
        year, week, _ = (self.today + timedelta(days=7)).isocalendar()
        return self.at(date.fromisocalendar(year, week, weekday + 1), *time)

    def yearly(self, month, day, *time):
        years = (year for year in range(self.today.year, self.today.year + 9) if day <= calendar.monthrange(year, month)[1])
        return self.first(self.at(date(year, month, day), *time) for year in years)

    def exact(self, **length):
        return self.now + timedelta(**length)

    def same_time(self, day):
        instant = datetime.combine(day, self.local.time(), tzinfo=self.zone)
        return instant.replace(fold=0).astimezone(UTC)

    def days(self, days):
        return self.same_time(self.today + timedelta(days=days))

    def month_ahead(self, months):
        count = self.today.year * 12 + self.today.month - 1 + months
        year, month = count // 12, count % 12 + 1
        return date(year, month, min(self.today.day, calendar.monthrange(year, month)[1]))

    def months(self, months):
        return self.same_time(self.month_ahead(months))

    def within(self, name):
        return Here(self.now, ZoneInfo(name) if isinstance(name, str) else timezone(timedelta(hours=name)))


PHRASES = {
    "now": lambda h: h.now,
    "in 30 minutes": lambda h: h.exact(minutes=30),
    "in half an hour": lambda h: h.exact(minutes=30),
    "30 minutes from now": lambda h: h.exact(minutes=30),
    "+15m": lambda h: h.exact(minutes=15),
    "in 1h30m": lambda h: h.exact(minutes=90),
    "in an hour and a half": lambda h: h.exact(minutes=90),
    "in 1.5 hours": lambda h: h.exact(minutes=90),
    "in two hours": lambda h: h.exact(hours=2),
    "in 5 min 30 sec": lambda h: h.exact(minutes=5, seconds=30),
    "in 24 hours": lambda h: h.exact(hours=24),
    "+36h": lambda h: h.exact(hours=36),
    "in 1 day": lambda h: h.days(1),
    "in a week": lambda h: h.days(7),
    "in 2 weeks and 3 days": lambda h: h.days(17),
    "in 1 day 3 hours": lambda h: h.days(1) + timedelta(hours=3),
    "in 2 days at 9am": lambda h: h.ahead(2, 9),
    "3 days from now at noon": lambda h: h.ahead(3, 12),
    "in a month": lambda h: h.months(1),
    "in 6 months at 9am": lambda h: h.at(h.month_ahead(6), 9),
    "in a year": lambda h: h.months(12),
    "tomorrow at 9am": lambda h: h.ahead(1, 9),
    "tomorrow 9am": lambda h: h.ahead(1, 9),
    "9am tomorrow": lambda h: h.ahead(1, 9),
    "Tomorrow, at 9:00 AM": lambda h: h.ahead(1, 9),
    "tomorrow at 2pm": lambda h: h.ahead(1, 14),
    "tomorrow at 1:30am": lambda h: h.ahead(1, 1, 30),
    "tomorrow at 02:30": lambda h: h.ahead(1, 2, 30),
    "tomorrow at 2:15am": lambda h: h.ahead(1, 2, 15),
    "today at 01:30": lambda h: h.ahead(0, 1, 30),
    "today at 2:30am": lambda h: h.ahead(0, 2, 30),
    "today at 15:00": lambda h: h.ahead(0, 15),
    "tomorrow 12am": lambda h: h.ahead(1, 0),
    "tomorrow at noon": lambda h: h.ahead(1, 12),
    "tomorrow at 21:30:15": lambda h: h.ahead(1, 21, 30, 15),
    "tomorrow morning at 9": lambda h: h.ahead(1, 9),
    "tomorrow at nine in the evening": lambda h: h.ahead(1, 21),
    "tonight at 8": lambda h: h.ahead(0, 20),
    "this afternoon at 3:30": lambda h: h.ahead(0, 15, 30),
    "the day after tomorrow at 6pm": lambda h: h.ahead(2, 18),
    "9am": lambda h: h.time(9),
    "at 01:30": lambda h: h.time(1, 30),
    "at 2:30am": lambda h: h.time(2, 30),
    "noon": lambda h: h.time(12),
    "midnight": lambda h: h.time(0),
    "monday at 9am": lambda h: h.coming(MON, 9),
    "on sunday at 2:30am": lambda h: h.coming(SUN, 2, 30),
    "sat 1pm": lambda h: h.coming(SAT, 13),
    "next monday 9am": lambda h: h.next(MON, 9),
    "next sunday at 01:30": lambda h: h.next(SUN, 1, 30),
    "next saturday at 9am": lambda h: h.next(SAT, 9),
    "this friday at 3pm": lambda h: h.this(FRI, 15),
    "this sunday at 3pm": lambda h: h.this(SUN, 15),
    "coming wednesday, 17:45": lambda h: h.coming(WED, 17, 45),
    "tuesday next week at 10am": lambda h: h.next(TUE, 10),
    "next week on thursday at 10am": lambda h: h.next(THU, 10),
    "9 march at 9am": lambda h: h.yearly(3, 9, 9),
    "november 1st, 1:30am": lambda h: h.yearly(11, 1, 1, 30),
    "29 feb 9am": lambda h: h.yearly(2, 29, 9),
    "5th of june 2027 at 3 p.m.": lambda h: h.at(date(2027, 6, 5), 15),
    "June 5, 2027 15:00": lambda h: h.at(date(2027, 6, 5), 15),
    "sunday 14 march 2027 at 2:30am": lambda h: h.at(date(2027, 3, 14), 2, 30),
    "2027-03-28 2:30am": lambda h: h.at(date(2027, 3, 28), 2, 30),
    "2027-03-28 02:30": lambda h: h.at(date(2027, 3, 28), 2, 30),
    "2027-10-31T02:30": lambda h: h.at(date(2027, 10, 31), 2, 30),
    "2027-11-07T01:30:00": lambda h: h.at(date(2027, 11, 7), 1, 30),
    "20270328T023000": lambda h: h.at(date(2027, 3, 28), 2, 30),
    "2027-03-09T09:00:00Z": lambda h: datetime(2027, 3, 9, 9, tzinfo=UTC),
    "2027-03-09T09:00:00.250+05:30": lambda h: datetime(2027, 3, 9, 3, 30, 0, 250_000, tzinfo=UTC),
    "2027-10-31T02:30+01:00[Europe/Berlin]": lambda h: datetime(2027, 10, 31, 1, 30, tzinfo=UTC),
    "Tue, 09 Mar 2027 09:00:00 GMT": lambda h: datetime(2027, 3, 9, 9, tzinfo=UTC),
    "tomorrow at 9am Europe/Berlin": lambda h: h.within("Europe/Berlin").ahead(1, 9),
    "tomorrow at 2:30am America/New_York": lambda h: h.within("America/New_York").ahead(1, 2, 30),
    "tomorrow at 9am (Asia/Kolkata)": lambda h: h.within("Asia/Kolkata").ahead(1, 9),
    "next monday 9am in Australia/Lord_Howe": lambda h: h.within("Australia/Lord_Howe").next(MON, 9),
    "tomorrow 9am EST": lambda h: h.within(-5).ahead(1, 9),
    "tomorrow 9am UTC": lambda h: h.within(0).ahead(1, 9),
    "tomorrow 9:00 UTC+2": lambda h: h.within(2).ahead(1, 9),
    "1806138092": lambda h: datetime.fromtimestamp(1806138092, UTC),
    "1806138092250": lambda h: datetime.fromtimestamp(1806138092, UTC) + timedelta(milliseconds=250),
}


def read_now(text, zone):
    fold = 1 if text.endswith(" fold") else 0
    return datetime.fromisoformat(text.removesuffix(" fold")).replace(tzinfo=zone, fold=fold).astimezone(UTC)


def write(instant):
    return instant.isoformat(timespec="milliseconds").replace("+00:00", "Z").replace(".000Z", "Z")


def expect(meaning, here):
    instant = meaning(here)
    return "past" if instant < here.now - timedelta(minutes=1) else write(instant)


def tabulate(name, texts):
    zone = ZoneInfo(name)
    places = [Here(read_now(text, zone), zone) for text in texts]
    yield ["zone " + name, *(write(here.now) for here in places)]
    for phrase, meaning in PHRASES.items():
        yield [phrase, *(expect(meaning, here) for here in places)]


for name, texts in NOWS.items():
    for row in tabulate(name, texts):
        print("\t".join(row))
