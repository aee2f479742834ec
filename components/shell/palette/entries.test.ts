import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { defaultPreferences } from '@/lib/client/preferences'
import type { Role } from '@/lib/operations/define'
import type { PageContext } from '@/lib/operations/page-context'
import {
  filterGroups,
  listFormEntries,
  listSettingEntries,
  type PaletteGroup,
  scoreMatch,
} from './entries'

test.each([
  ['pay', 'Payouts', undefined, 3],
  ['create a customer', 'Create a customer', 'a person or a business', 3],
  ['customer create', 'Create a customer', 'a person or a business', 2],
  ['create a customer', 'Create a payout', 'pay a customer', 1],
  ['linked', 'Linked bank accounts', undefined, 3],
  ['accounts', 'Linked bank accounts', undefined, 2],
  ['an', 'Organizations', undefined, 0],
  ['outs', 'Payouts', undefined, 0],
  ['', 'Payouts', undefined, 3],
  ['  ', 'Payouts', undefined, 3],
  ['acct_018c', 'Acme', 'acct_018cc2bf-d100-71de', 1],
  ['zoë', 'Zoë & Söhne', undefined, 3],
] as const)('%j matches %j (%j) with the score %i', (typed, title, note, fit) =>
  expect(scoreMatch(typed, title, note)).toBe(fit),
)

const buildEntry = (title: string, note?: string) => ({ value: title, title, note, run: () => {} })
const groups: PaletteGroup[] = [
  {
    heading: 'Pages',
    entries: [buildEntry('Home'), buildEntry('Linked bank accounts'), buildEntry('Accounts')],
  },
  {
    heading: 'Actions',
    entries: [buildEntry('Create a payout', 'pay a customer'), buildEntry('Create a customer')],
  },
]
const listMatchingTitles = (typed: string) =>
  filterGroups(typed, groups).flatMap(({ heading, entries }) => [
    heading,
    ...entries.map(({ title }) => title),
  ])

test('the best match is first in its group, and its group is first', () => {
  expect(listMatchingTitles('create a customer')).toEqual([
    'Actions',
    'Create a customer',
    'Create a payout',
  ])
  expect(listMatchingTitles('accounts')).toEqual(['Pages', 'Accounts', 'Linked bank accounts'])
})

test('an empty search keeps all entries, and a search without a match returns none', () => {
  expect(listMatchingTitles('')).toEqual([
    'Pages',
    'Home',
    'Linked bank accounts',
    'Accounts',
    'Actions',
    'Create a payout',
    'Create a customer',
  ])
  expect(listMatchingTitles('zebra')).toEqual([])
})

const account = 'acct_018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f'
const listStartEntries = (roles: Role[], environment: PageContext['environment'] = 'sandbox') =>
  listFormEntries({
    environment,
    scope: account,
    person: {
      ...{ id: 'p', name: 'Omar', email: 'omar@paydesk.test' },
      ...{ roles, platformRoles: roles, allRoles: roles },
    },
  })

test.each(listStartEntries(['admin']).map(({ title, path }) => [title, path ?? '']))(
  '%s links to an existing page in the same scope',
  (_, path) => {
    const { pathname, searchParams } = new URL(path, 'http://desk')
    expect(
      existsSync(join('app/[environment]/(desk)', pathname.replace('/sandbox', ''), 'page.tsx')),
    ).toBe(true)
    expect(searchParams.get('account')).toBe(account)
  },
)

test('a forbidden action is disabled with a reason, and unknown roles disable nothing', () => {
  expect(
    listStartEntries(['viewer']).every(({ disabledReason }) =>
      /^Only .* can /.test(disabledReason ?? ''),
    ),
  ).toBe(true)
  expect(listStartEntries(['admin']).every(({ disabledReason }) => disabledReason === null)).toBe(
    true,
  )
  expect(listStartEntries([]).every(({ disabledReason }) => disabledReason === null)).toBe(true)
})

test.each([
  ['new payout', 'Create a payout'],
  ['New charge', 'Create a charge'],
  ['new repr', 'Add a representative'],
])('%s finds “%s” first', (typed, title) => {
  expect(
    filterGroups(typed, [{ heading: 'Start', entries: listStartEntries(['operator']) }])[0]
      ?.entries[0]?.title,
  ).toBe(title)
})

test('a sandbox-only action is offered in the sandbox only', () => {
  expect(listStartEntries(['admin']).some(({ title }) => title === 'Simulate funding')).toBe(true)
  expect(
    listStartEntries(['admin'], 'production').some(({ title }) => title === 'Simulate funding'),
  ).toBe(false)
})

test('each setting entry differs from the current value and changes one preference', () => {
  const changeSpy = vi.fn()
  const entries = listSettingEntries(
    { ...defaultPreferences, theme: 'dark', zoneChoice: 'utc' },
    changeSpy,
  )
  expect(entries.map(({ value }) => value)).toEqual([
    'theme system',
    'theme light',
    'zone mine',
    'zone bank',
  ])
  for (const entry of entries) entry.run?.()
  expect(changeSpy.mock.calls).toEqual([
    [{ theme: 'system' }],
    [{ theme: 'light' }],
    [{ zoneChoice: 'mine' }],
    [{ zoneChoice: 'bank' }],
  ])
})
