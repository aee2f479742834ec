import { zoneNamed } from '@/lib/formats'
import { type ListResource, listResources } from '@/lib/routes'

/** How a person wants the desk to look and behave. Nothing personal is in it. */
export type Preferences = {
  theme: 'system' | 'light' | 'dark'
  density: 'compact' | 'default' | 'comfortable'
  /** Single-key shortcuts; WCAG 2.1.4 asks that they can be switched off. */
  shortcuts: boolean
  nav: 'auto' | 'wide' | 'narrow'
  /** Whose clock times are written in: one's own, UTC, or that of New York, where the banks count their days (provider facts 3.1). */
  zoneChoice: 'mine' | 'utc' | 'bank'
  /** One's own IANA zone, `UTC` until the browser has told it. */
  zone: string
  /** The optional columns that were chosen for a list, as its URL says them (`cols`). */
  columns: Readonly<Partial<Record<ListResource, string>>>
}

/** The values a setting may take, in the order they are offered. */
export const choices = {
  theme: ['system', 'light', 'dark'],
  density: ['compact', 'default', 'comfortable'],
  nav: ['auto', 'wide', 'narrow'],
  zoneChoice: ['mine', 'utc', 'bank'],
} as const satisfies { [K in 'theme' | 'density' | 'nav' | 'zoneChoice']: readonly Preferences[K][] }

/** What holds until somebody chooses. */
export const defaultPreferences: Preferences = {
  theme: 'system',
  density: 'default',
  shortcuts: true,
  nav: 'auto',
  zoneChoice: 'mine',
  zone: 'UTC',
  columns: {},
}

/** The zone of the bank networks' clock. */
export const bankZone = 'America/New_York'

export const shownZone = ({ zoneChoice, zone }: Pick<Preferences, 'zoneChoice' | 'zone'>): string =>
  ({ mine: zone, utc: 'UTC', bank: bankZone })[zoneChoice]

/** The cookie that lets the server draw theme, density and zone in the first HTML. */
export const preferencesCookie = 'paydesk_view'

/** Reads the cookie's value; anything unknown in it falls back to the default of its field, so a forged cookie can only change the looks. */
export function parsePreferences(value: string | undefined): Preferences {
  const fields = new URLSearchParams(value ?? '')
  return {
    theme: oneOf(choices.theme, fields.get('theme'), defaultPreferences.theme),
    density: oneOf(choices.density, fields.get('density'), defaultPreferences.density),
    shortcuts: fields.get('shortcuts') !== 'off',
    nav: oneOf(choices.nav, fields.get('nav'), defaultPreferences.nav),
    zoneChoice: oneOf(choices.zoneChoice, fields.get('zoneChoice'), defaultPreferences.zoneChoice),
    zone: knownZone(fields.get('zone')),
    columns: Object.fromEntries(listResources.flatMap((list) => columnsIn(list, fields.get(columnsField(list))))),
  }
}

/** The cookie's value for `parsePreferences`, without characters a cookie may not hold. */
export function formatPreferences({ shortcuts, columns, ...rest }: Preferences): string {
  const chosen = Object.entries(columns).map(([list, text]) => [columnsField(list), text])
  return new URLSearchParams({ ...rest, shortcuts: shortcuts ? 'on' : 'off', ...Object.fromEntries(chosen) }).toString()
}

/** Attributes of the `html` element that the style sheet reads. */
export function viewAttributes({ theme, density, nav }: Preferences) {
  return { 'data-theme': theme === 'system' ? undefined : theme, 'data-density': density, 'data-nav': nav }
}

function oneOf<T extends string>(known: readonly T[], value: string | null, fallback: T): T {
  return known.find((each) => each === value) ?? fallback
}

const columnsField = (list: string) => `cols_${list}`

/** Words of columns; which of them a list has is the list's to say. */
const columnsIn = (list: ListResource, text: string | null): [ListResource, string][] =>
  text !== null && /^[a-z_,]{1,120}$/.test(text) ? [[list, text]] : []

function knownZone(zone: string | null): string {
  if (!zone || zone.length > 40) return defaultPreferences.zone
  return zoneNamed(zone) ?? defaultPreferences.zone
}
