/**
 * Parses CSV (RFC 4180) whose values contain no line breaks. Returns the rows as records by column
 * name.
 */
export function parseCsv(text: string): Record<string, string>[] {
  const [columnNames = [], ...rows] = text
    .replace(/\r\n$/, '')
    .split('\r\n')
    .map((line) =>
      [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
        ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
      ),
    )
  return rows.map((row) => Object.fromEntries(columnNames.map((name, at) => [name, row[at] ?? ''])))
}
