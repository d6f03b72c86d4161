/** With LONG_TESTS set, tests try more cases and larger crowds, and take minutes more. */
const isLong = (process.env.LONG_TESTS ?? '') !== '';

/** A count for every run, and a larger one for long runs. */
export const longOr = <T>(usual: T, long: T): T => (isLong ? long : usual);
