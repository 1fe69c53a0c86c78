"""All that is wrong, or improbable, in a scenario file: records with code, place and mend. See docs/errors.md."""

from blocks.checking.check import Checked as Checked
from blocks.checking.check import check_file as check_file
from blocks.checking.check import check_text as check_text
from blocks.checking.check import require as require
from blocks.checking.fixing import Fixed as Fixed
from blocks.checking.fixing import fix_text as fix_text
