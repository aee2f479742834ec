'use client'

import { createContext, type ReactNode, startTransition, useCallback, useContext, useEffect, useMemo, useState } from 'react'
import {
  defaultPreferences,
  formatPreferences,
  type Preferences,
  preferencesCookie,
  shownZone,
  viewAttributes,
} from '@/lib/client/preferences'

type Held = { preferences: Preferences; renderedAt: string; change: (part: Partial<Preferences>) => void }

const PreferencesContext = createContext<Held>({ preferences: defaultPreferences, renderedAt: '', change: () => {} })

/** `renderedAt` is the server's clock (ISO), so that the first paint in the browser says the same "3 h ago" as the HTML. */
export function PreferencesProvider({ initial, renderedAt, children }: { initial: Preferences; renderedAt: string; children: ReactNode }) {
  const [preferences, setPreferences] = useState(initial)
  const change = useCallback((part: Partial<Preferences>) => setPreferences((old) => ({ ...old, ...part })), [])

  useEffect(() => {
    // The first visit cannot know the zone; from the second on the server writes times in it.
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
    // A transition, so that parts of the page which are still streaming are taken over as the server wrote them before the zone changes.
    if (zone) startTransition(() => setPreferences((old) => (old.zone === zone ? old : { ...old, zone })))
  }, [])

  useEffect(() => {
    if (preferences === initial) return
    keep(preferences)
  }, [preferences, initial])

  const held = useMemo(() => ({ preferences, renderedAt, change }), [preferences, renderedAt, change])
  return <PreferencesContext value={held}>{children}</PreferencesContext>
}

export const usePreferences = () => useContext(PreferencesContext)

/** The IANA zone times are written in, by the person's choice. */
export const useZone = (): string => shownZone(usePreferences().preferences)

function keep(preferences: Preferences) {
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in browsers we support
  document.cookie = `${preferencesCookie}=${formatPreferences(preferences)}; Path=/; Max-Age=31536000; SameSite=Lax${secure}`
  for (const [name, value] of Object.entries(viewAttributes(preferences))) {
    if (value === undefined) document.documentElement.removeAttribute(name)
    else document.documentElement.setAttribute(name, value)
  }
}
