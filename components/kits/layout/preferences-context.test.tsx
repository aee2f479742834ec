import { act, lazy, Suspense } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { defaultPreferences } from '@/lib/client/preferences'
import { PreferencesProvider, useZone } from './preferences-context'

const browserZone = Intl.DateTimeFormat().resolvedOptions().timeZone
const initial = { ...defaultPreferences, zone: browserZone === 'Asia/Tokyo' ? 'UTC' : 'Asia/Tokyo' }

const Zone = () => <p>{useZone()}</p>

test('a part that hydrates late keeps the server’s time until then and switches to the browser’s time zone', async () => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  let arrive: (module: { default: typeof Zone }) => void = () => {}
  const Late = lazy(() => new Promise<{ default: typeof Zone }>((resolve) => (arrive = resolve)))
  const page = (Part: typeof Zone | typeof Late) => (
    <PreferencesProvider initial={initial} renderedAt="2026-03-31T12:00:00Z">
      <Suspense fallback="being read">
        <Part />
      </Suspense>
    </PreferencesProvider>
  )
  const container = document.createElement('div')
  container.innerHTML = renderToString(page(Zone))
  const troubles: string[] = []
  await act(async () => {
    hydrateRoot(container, page(Late), { onRecoverableError: (error) => troubles.push(String(error)) })
  })
  expect(container.textContent).toBe(initial.zone)
  await act(async () => arrive({ default: Zone }))
  expect(container.textContent).toBe(browserZone)
  expect(troubles).toEqual([])
})

test('a part that still streams from the server is not rendered a second time', async () => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  const page = (Part: typeof Zone | typeof Late) => (
    <PreferencesProvider initial={initial} renderedAt="2026-03-31T12:00:00Z">
      <Zone />
      <main>
        <Suspense fallback=", loading">
          <Part />
        </Suspense>
      </main>
    </PreferencesProvider>
  )
  const Late = lazy(() => new Promise<{ default: typeof Zone }>(() => {}))
  const container = document.createElement('div')
  // The marker of a streamed Suspense boundary that has arrived and is not shown yet. `renderToString` marks it as failed instead.
  container.innerHTML = renderToString(page(Late)).replace(/<!--\$!--><template[^>]*>/, '<!--$~--><template id="B:0">')
  expect(container.innerHTML).toContain('<!--$~-->')
  await act(async () => {
    hydrateRoot(container, page(Zone))
  })
  expect(container.textContent).toBe(`${browserZone}, loading`)
})
