import { zoneNamed } from '@/lib/formats'
import { type ListResource, listResources } from '@/lib/routes'

/** Display and keyboard settings of a person. They contain no personal data. */
export type Preferences = {
  theme: 'system' | 'light' | 'dark'
  density: 'compact' | 'default' | 'comfortable'
  /** Single-key shortcuts. WCAG 2.1.4 requires a way to turn them off. */
  shortcuts: boolean
  nav: 'auto' | 'wide' | 'narrow'
  /** Time zone of displayed times: the person's own, UTC, or New York, which the banks use for their days (provider facts 3.1). */
  zoneChoice: 'mine' | 'utc' | 'bank'
  /** IANA zone of the person; `UTC` until the browser has sent it. */
  zone: string
  /** Optional columns of each list, as its URL contains them (`cols`). */
  columns: Readonly<Partial<Record<ListResource, string>>>
}

/** Allowed values of each setting, in display order. */
export const choices = {
  theme: ['system', 'light', 'dark'],
  density: ['compact', 'default', 'comfortable'],
  nav: ['auto', 'wide', 'narrow'],
  zoneChoice: ['mine', 'utc', 'bank'],
} as const satisfies { [K in 'theme' | 'density' | 'nav' | 'zoneChoice']: readonly Preferences[K][] }

export const defaultPreferences: Preferences = {
  theme: 'system',
  density: 'default',
  shortcuts: true,
  nav: 'auto',
  zoneChoice: 'mine',
  zone: 'UTC',
  columns: {},
}

/** Time zone of the bank networks. */
export const bankZone = 'America/New_York'

export const shownZone = ({ zoneChoice, zone }: Pick<Preferences, 'zoneChoice' | 'zone'>): string =>
  ({ mine: zone, utc: 'UTC', bank: bankZone })[zoneChoice]

/** Name of the cookie with which the server renders theme, density and zone in the first HTML. */
export const preferencesCookie = 'paydesk_view'

/** Parses the cookie. An unknown value becomes the default of its field, so a forged cookie can only change the appearance. */
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

/** Returns the cookie's value for `parsePreferences`, without characters that a cookie must not contain. */
export function formatPreferences({ shortcuts, columns, ...rest }: Preferences): string {
  const chosen = Object.entries(columns).map(([list, text]) => [columnsField(list), text])
  return new URLSearchParams({ ...rest, shortcuts: shortcuts ? 'on' : 'off', ...Object.fromEntries(chosen) }).toString()
}

/** Returns the attributes of the `html` element that the style sheet uses. */
export function viewAttributes({ theme, density, nav }: Preferences) {
  return { 'data-theme': theme === 'system' ? undefined : theme, 'data-density': density, 'data-nav': nav }
}

function oneOf<T extends string>(known: readonly T[], value: string | null, fallback: T): T {
  return known.find((each) => each === value) ?? fallback
}

const columnsField = (list: string) => `cols_${list}`

/** Checks only the form of the text. The list checks that the columns exist. */
const columnsIn = (list: ListResource, text: string | null): [ListResource, string][] =>
  text !== null && /^[a-z_,]{1,120}$/.test(text) ? [[list, text]] : []

function knownZone(zone: string | null): string {
  if (!zone || zone.length > 40) return defaultPreferences.zone
  return zoneNamed(zone) ?? defaultPreferences.zone
}
