'use client'

import { CommandItem } from 'cmdk'
import type { MouseEvent, ReactNode } from 'react'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { Kbd } from '@/components/ui/button'
import { type Preferences, preferenceChoices } from '@/lib/client/preferences'
import { bankZone } from '@/lib/dates'
import { whyNotAllowed } from '@/lib/domain/permissions'
import { toFoldedWords } from '@/lib/domain/text-forms'
import type { PageContext } from '@/lib/operations/page-context'
import { getServiceOperation, type ServiceOperationId } from '@/lib/operations/service-operations'
import { deskPath, newRecordPath, type RecordResource } from '@/lib/routes'

/**
 * An entry of the command palette. An entry that opens a page has `path`, so that it can also open
 * in another tab. Any other entry has `run`.
 */
export type PaletteEntry = {
  value: string
  icon?: ReactNode
  title: string
  /** Description after the title. The search matches it too. */
  note?: string
  /** Alternative title. It is not shown, but the search matches it. */
  also?: string
  state?: ReactNode
  keys?: readonly string[]
  /** The reason the entry cannot be chosen; null if it can. */
  disabledReason?: string | null
} & ({ path: string; run?: undefined } | { path?: undefined; run: () => void })

export type PaletteGroup = { heading: string; entries: PaletteEntry[] }

/**
 * Returns how well an entry matches the typed text. A typed word matches each word that starts with
 * it.
 * - 3: the title starts with the typed text.
 * - 2: the title contains every typed word.
 * - 1: title and note together contain every typed word.
 * - 0: a typed word is missing.
 */
export function scoreMatch(typed: string, title: string, note = ''): 0 | 1 | 2 | 3 {
  const typedWords = toFoldedWords(typed)
  const hasEveryWord = (words: readonly string[]) =>
    typedWords.every((word) => words.some((each) => each.startsWith(word)))
  if (toFoldedWords(title).join(' ').startsWith(typedWords.join(' '))) return 3
  if (hasEveryWord(toFoldedWords(title))) return 2
  return hasEveryWord(toFoldedWords(`${title} ${note}`)) ? 1 : 0
}

/**
 * Returns the groups that have matching entries. Groups and entries are sorted by how well they
 * match. An empty text keeps all of them in their order.
 */
export function filterGroups(typed: string, groups: readonly PaletteGroup[]): PaletteGroup[] {
  const ratedGroups = groups.map(({ heading, entries }) => {
    const ratedEntries = entries
      .map((entry) => ({
        entry,
        fit: Math.max(
          scoreMatch(typed, entry.title, entry.note),
          entry.also ? scoreMatch(typed, entry.also) : 0,
        ),
      }))
      .filter(({ fit }) => fit > 0)
      .sort((one, other) => other.fit - one.fit)
    return {
      best: ratedEntries[0]?.fit ?? 0,
      heading,
      entries: ratedEntries.map(({ entry }) => entry),
    }
  })
  return ratedGroups
    .filter(({ best }) => best > 0)
    .sort((one, other) => other.best - one.best)
    .map(({ heading, entries }) => ({ heading, entries }))
}

type PaletteLineProps = {
  entry: PaletteEntry
  onChoose: (entry: PaletteEntry) => void
  onOther: (entry: PaletteEntry) => void
}

export function PaletteLine({ entry, onChoose, onOther }: PaletteLineProps) {
  const { value, icon, title, note, state, keys, disabledReason } = entry
  const openOnMiddleClick = (event: MouseEvent) => {
    if (event.button === 1 && !disabledReason) onOther(entry)
  }
  return (
    <CommandItem
      value={value}
      disabled={Boolean(disabledReason)}
      onSelect={() => onChoose(entry)}
      onAuxClick={openOnMiddleClick}
      className="flex min-h-9 cursor-pointer items-center gap-2.5 rounded-sm px-2.5 py-1 text-sm aria-disabled:cursor-not-allowed data-[selected=true]:bg-selected pointer-coarse:min-h-11"
    >
      <span
        aria-hidden="true"
        className="flex size-4 shrink-0 items-center justify-center text-ink-3 [&_svg]:size-4"
      >
        {icon}
      </span>
      <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-2">
        <ExternalText className={disabledReason ? 'truncate text-ink-3' : 'truncate text-ink'}>
          {title}
        </ExternalText>
        {(disabledReason || note) && (
          <ExternalText className="min-w-0 truncate text-ink-3 text-xs">
            {disabledReason ?? note}
          </ExternalText>
        )}
      </span>
      {state && <span className="flex shrink-0 items-center gap-2">{state}</span>}
      {keys && (
        <span className="flex shrink-0 gap-1 max-sm:hidden">
          {keys.map((key) => (
            <Kbd key={key}>{key}</Kbd>
          ))}
        </span>
      )}
    </CommandItem>
  )
}

/** `path` is below `/<environment>`, set only if it is not `/<resource>/new`. */
type FormLink = {
  title: string
  note: string
  resource: RecordResource
  operation: ServiceOperationId
  path?: `/${string}`
}

const formLinks: readonly FormLink[] = [
  {
    title: 'Create a payout',
    note: 'pay a customer',
    resource: 'payouts',
    operation: 'payouts.create',
  },
  {
    title: 'Create a charge',
    note: 'collect from a customer',
    resource: 'charges',
    operation: 'charges.create',
  },
  {
    title: 'Create a customer',
    note: 'a person or a business',
    resource: 'customers',
    operation: 'customers.create',
  },
  {
    title: 'Connect a bank account',
    note: 'creates a paykey for a customer',
    resource: 'paykeys',
    operation: 'bridge.initialize',
    path: '/connect',
  },
  {
    title: 'Create an account',
    note: 'a new business on the platform',
    resource: 'accounts',
    operation: 'accounts.create',
  },
  {
    title: 'Create an organization',
    note: 'groups accounts',
    resource: 'organizations',
    operation: 'organizations.create',
  },
  {
    title: 'Add a representative',
    note: 'to an account',
    resource: 'representatives',
    operation: 'representatives.create',
  },
  {
    title: 'Link a bank account',
    note: 'of an account',
    resource: 'linked_bank_accounts',
    operation: 'linked_bank_accounts.create',
  },
  {
    title: 'Simulate funding',
    note: 'sandbox only',
    resource: 'funding_events',
    operation: 'funding_events.simulate',
    path: '/funding-events/simulate',
  },
]

/** Returns an alternative title for people who search for "new", for example "New payout". */
const toNewRecordTitle = (title: string) =>
  title.replace(/^(?:Create|Connect|Add|Link) an? /, 'New ')

/**
 * Returns the entries that open a form. An entry is disabled if none of the person's roles allows
 * its operation. If the person has no role in this scope, all entries are enabled: roles for single
 * accounts are known only in the scope of the account.
 */
export function listFormEntries(
  context: Pick<PageContext, 'environment' | 'scope' | 'person'>,
): PaletteEntry[] {
  const { environment, person } = context
  return formLinks
    .filter(({ operation }) => (getServiceOperation(operation).only ?? environment) === environment)
    .map(({ title, note, resource, operation, path }) => ({
      value: `start ${operation}`,
      title,
      also: toNewRecordTitle(title),
      note,
      path: path ? deskPath(context, path) : newRecordPath(context, resource),
      disabledReason:
        person.roles.length > 0
          ? whyNotAllowed(person.roles, getServiceOperation(operation))
          : null,
    }))
}

const themeEntryTitles = { system: 'Use system theme', light: 'Light theme', dark: 'Dark theme' }
const timeZoneEntryTitles = {
  mine: 'Times in my time zone',
  utc: 'Times in UTC',
  bank: 'Times in New York',
}

/** Returns the entries that change a setting. The current value of a setting has no entry. */
export function listSettingEntries(
  preferences: Preferences,
  change: (part: Partial<Preferences>) => void,
): PaletteEntry[] {
  const zoneNotes = { mine: preferences.zone, utc: '', bank: `${bankZone}, bank time` }
  const otherThemes = preferenceChoices.theme.filter((theme) => theme !== preferences.theme)
  const otherZones = preferenceChoices.zoneChoice.filter(
    (choice) => choice !== preferences.zoneChoice,
  )
  return [
    ...otherThemes.map((theme) => ({
      value: `theme ${theme}`,
      title: themeEntryTitles[theme],
      note: 'theme',
      run: () => change({ theme }),
    })),
    ...otherZones.map((zoneChoice) => ({
      value: `zone ${zoneChoice}`,
      title: timeZoneEntryTitles[zoneChoice],
      note: zoneNotes[zoneChoice],
      run: () => change({ zoneChoice }),
    })),
  ]
}
