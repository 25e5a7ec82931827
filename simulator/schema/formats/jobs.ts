import { format, type CodeFormat } from './network';

/** What times of jobs look like: days, hours and minutes as lists, ranges and steps. Assumed: what else is in it is not judged. */
const CALENDAR = /^[a-z\d*/.,:\- ]+\n?$/i;

/** Formats of the jobs of the cluster. */
export const JOB_FORMATS: Record<string, CodeFormat> = {
  'pve-calendar-event': format(
    value => CALENDAR.test(value) && /[\d*]|^(minutely|hourly|daily|weekly|monthly|yearly)$/i.test(value),
    value => `unable to parse calendar event '${value}'`,
  ),
  'pve-day-of-week': format(/^(mon|tue|wed|thu|fri|sat|sun)$/, value => `invalid day '${value}'`),
  'pve-replication-job-id': format(/^\d+-\d+$/, value => `invalid replication job id '${value}'`),
};
