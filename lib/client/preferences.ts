import { bankZone, type DateStyle, usDateStyle } from '@/lib/dates'
import { toCanonicalTimeZone } from '@/lib/formats'
import { type ListResource, listResources } from '@/lib/routes'

/** The display and keyboard settings of a person. They contain no personal data. */
export type Preferences = DateStyle & {
  theme: 'system' | 'light' | 'dark'
  density: 'compact' | 'default' | 'comfortable'
  /** True if single-key shortcuts are on. WCAG 2.1.4 requires that they can be turned off. */
  shortcuts: boolean
  nav: 'auto' | 'wide' | 'narrow'
  /** `bank` is New York, in which banks count days (provider facts 3.1). */
  zoneChoice: 'mine' | 'utc' | 'bank'
  /** The person's IANA time zone; `UTC` until the browser has sent it. */
  zone: string
  /** The chosen optional columns of each list, in the form of the URL parameter `cols`. */
  columns: Readonly<Partial<Record<ListResource, string>>>
}

/** Allowed values of each setting, in display order. */
export const preferenceChoices = {
  theme: ['system', 'light', 'dark'],
  density: ['compact', 'default', 'comfortable'],
  nav: ['auto', 'wide', 'narrow'],
  zoneChoice: ['mine', 'utc', 'bank'],
  dateOrder: ['month_first', 'day_first'],
  clock: ['12', '24'],
} as const satisfies {
  [K in 'theme' | 'density' | 'nav' | 'zoneChoice' | keyof DateStyle]: readonly Preferences[K][]
}

export const defaultPreferences: Preferences = {
  theme: 'system',
  density: 'default',
  shortcuts: true,
  nav: 'auto',
  zoneChoice: 'mine',
  zone: 'UTC',
  ...usDateStyle,
  columns: {},
}

export const getShownTimeZone = ({
  zoneChoice,
  zone,
}: Pick<Preferences, 'zoneChoice' | 'zone'>): string =>
  ({ mine: zone, utc: 'UTC', bank: bankZone })[zoneChoice]

/** The server reads this cookie, so that the first HTML has the theme and the time zone. */
export const preferencesCookie = 'paydesk_view'

/** An unknown value becomes the default, so a forged cookie can change only the appearance. */
export function parsePreferences(value: string | undefined): Preferences {
  const preferenceFields = new URLSearchParams(value ?? '')
  return {
    theme: toKnownChoice(
      preferenceChoices.theme,
      preferenceFields.get('theme'),
      defaultPreferences.theme,
    ),
    density: toKnownChoice(
      preferenceChoices.density,
      preferenceFields.get('density'),
      defaultPreferences.density,
    ),
    shortcuts: preferenceFields.get('shortcuts') !== 'off',
    nav: toKnownChoice(preferenceChoices.nav, preferenceFields.get('nav'), defaultPreferences.nav),
    zoneChoice: toKnownChoice(
      preferenceChoices.zoneChoice,
      preferenceFields.get('zoneChoice'),
      defaultPreferences.zoneChoice,
    ),
    zone: parseTimeZone(preferenceFields.get('zone')),
    dateOrder: toKnownChoice(
      preferenceChoices.dateOrder,
      preferenceFields.get('dateOrder'),
      defaultPreferences.dateOrder,
    ),
    clock: toKnownChoice(
      preferenceChoices.clock,
      preferenceFields.get('clock'),
      defaultPreferences.clock,
    ),
    columns: Object.fromEntries(
      listResources.flatMap((list) =>
        parseColumns(list, preferenceFields.get(toColumnsField(list))),
      ),
    ),
  }
}

/** Returns only characters that a cookie permits. */
export function formatPreferences({ shortcuts, columns, ...rest }: Preferences): string {
  const columnEntries = Object.entries(columns).map(([list, text]) => [toColumnsField(list), text])
  return new URLSearchParams({
    ...rest,
    shortcuts: shortcuts ? 'on' : 'off',
    ...Object.fromEntries(columnEntries),
  }).toString()
}

export function toHtmlDataAttributes({ theme, density, nav }: Preferences) {
  return {
    'data-theme': theme === 'system' ? undefined : theme,
    'data-density': density,
    'data-nav': nav,
  }
}

function toKnownChoice<T extends string>(
  known: readonly T[],
  value: string | null,
  fallback: T,
): T {
  return known.find((each) => each === value) ?? fallback
}

const toColumnsField = (list: string) => `cols_${list}`

/** Checks only the form of the text: the list later checks that the columns exist. */
const parseColumns = (list: ListResource, text: string | null): [ListResource, string][] =>
  text !== null && /^[a-z_,]{1,120}$/.test(text) ? [[list, text]] : []

function parseTimeZone(zone: string | null): string {
  if (!zone || zone.length > 40) return defaultPreferences.zone
  return toCanonicalTimeZone(zone) ?? defaultPreferences.zone
}
