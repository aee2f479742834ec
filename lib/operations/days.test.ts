import { expect, test } from 'vitest'
import { optionalDay } from './common.schema'

test.each([
  ['2026-03-31', '2026-03-31'],
  [' 2026-03-31 ', '2026-03-31'],
  ['2026-03-31T14:05:00Z', '2026-03-31'],
  ['2026-03-31 14:05:00', '2026-03-31'],
  ['', undefined],
  [null, undefined],
  [undefined, undefined],
])('%j is the day %j', (value, day) => expect(optionalDay.parse(value)).toBe(day))

// The home page counts deadlines from such days. If an invalid day were accepted, the whole page
// would fail.
test.each([
  'yesterday',
  '2026-02-31',
  '0000-00-00T00:00:00Z',
  '+275760-09-14',
  '31.03.2026',
  1774915200,
  {},
])('%j is not a day', (value) => expect(optionalDay.safeParse(value).success).toBe(false))
