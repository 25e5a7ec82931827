/**
 * A text as it is read again from user.cfg. PVE: AccessControl.pm, parse_user_config cuts spaces off each field of a
 * line, and takes an empty one and a `0` for nothing. Other white space is escaped there, and stays.
 */
export function storedField(text: string): string {
  const field = text.replace(/^ +| +$/g, '');
  return field === '0' ? '' : field;
}
