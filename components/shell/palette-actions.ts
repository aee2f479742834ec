import { bankZone, choices, type Preferences } from '@/lib/client/preferences'
import { whyNotAllowed } from '@/lib/domain/permissions'
import type { Desk } from '@/lib/operations/desk'
import { type OperationId, rowOf } from '@/lib/operations/rows'
import { deskPath, newPath, type RecordResource } from '@/lib/routes'
import type { PaletteEntry } from './palette-entry'

/** `path` follows the environment where the form is not at `/<resource>/new`. */
type Start = { title: string; note: string; resource: RecordResource; operation: OperationId; path?: `/${string}` }

/** What can be begun from anywhere; each opens the form, nothing is sent from here. */
const starts: readonly Start[] = [
  { title: 'Create a payout', note: 'pay a customer', resource: 'payouts', operation: 'payouts.create' },
  { title: 'Create a charge', note: 'collect from a customer', resource: 'charges', operation: 'charges.create' },
  { title: 'Create a customer', note: 'a person or a business', resource: 'customers', operation: 'customers.create' },
  {
    title: 'Connect a bank account',
    note: 'makes a paykey for a customer',
    resource: 'paykeys',
    operation: 'bridge.initialize',
    path: '/connect',
  },
  { title: 'Create an account', note: 'a new business on the platform', resource: 'accounts', operation: 'accounts.create' },
  { title: 'Create an organization', note: 'groups accounts', resource: 'organizations', operation: 'organizations.create' },
  { title: 'Add a representative', note: 'to an account', resource: 'representatives', operation: 'representatives.create' },
  { title: 'Link a bank account', note: 'of an account', resource: 'linked_bank_accounts', operation: 'linked_bank_accounts.create' },
  {
    title: 'Simulate funding',
    note: 'sandbox only',
    resource: 'funding_events',
    operation: 'funding_events.simulate',
    path: '/funding-events/simulate',
  },
]

/** The forms one can begin here. Roles that hold for single accounts are not known outside them, so nothing is closed on their account. */
export function startEntries({ environment, account, person }: Pick<Desk, 'environment' | 'account' | 'person'>): PaletteEntry[] {
  return starts
    .filter(({ operation }) => (rowOf(operation).only ?? environment) === environment)
    .map(({ title, note, resource, operation, path }) => ({
      value: `start ${operation}`,
      title,
      note,
      path: path ? deskPath(environment, path, { account }) : newPath(environment, resource, { account }),
      closed: person.roles.length > 0 ? whyNotAllowed(person.roles, operation) : null,
    }))
}

const themeWords = { system: 'Follow the system’s theme', light: 'Light theme', dark: 'Dark theme' }
const zoneWords = { mine: 'Times on my own clock', utc: 'Times in UTC', bank: 'Times in New York' }

/** The settings of the person menu, each to a choice that is not in force. */
export function settingEntries(preferences: Preferences, change: (part: Partial<Preferences>) => void): PaletteEntry[] {
  const zoneNotes = { mine: preferences.zone, utc: '', bank: `${bankZone}, the banks’ clock` }
  const themes = choices.theme.filter((theme) => theme !== preferences.theme)
  const zones = choices.zoneChoice.filter((choice) => choice !== preferences.zoneChoice)
  return [
    ...themes.map((theme) => ({ value: `theme ${theme}`, title: themeWords[theme], note: 'theme', run: () => change({ theme }) })),
    ...zones.map((zoneChoice) => ({
      value: `zone ${zoneChoice}`,
      title: zoneWords[zoneChoice],
      note: zoneNotes[zoneChoice],
      run: () => change({ zoneChoice }),
    })),
  ]
}
