/** Whether there is a time zone of this name; not an offset such as `+01:00`. Assumed: also in other letters than its own. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return /^[A-Z]/i.test(name);
  } catch {
    return false;
  }
}

/** How far the clocks of a time zone are ahead of UTC at a time, in seconds. */
export function secondsAhead(timeZone: string, time: number): number {
  const shown = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
    .formatToParts(time * 1000)
    .find(({ type }) => type === 'timeZoneName')?.value;
  const [, sign, hours = '0', minutes = '0'] = /([+-])(\d+):(\d+)/.exec(shown ?? '') ?? [];
  return (sign === '-' ? -60 : 60) * (Number(hours) * 60 + Number(minutes));
}
