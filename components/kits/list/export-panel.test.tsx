import { cleanup, render } from '@testing-library/react'
import { SearchParamsContext } from 'next/dist/shared/lib/hooks-client-context.shared-runtime'
import { afterEach, expect, test } from 'vitest'
import { PageContextProvider } from '@/components/kits/layout/page-context'
import { PreferencesProvider } from '@/components/kits/layout/preferences-context'
import type { PageContext } from '@/lib/client/page-context'
import { defaultPreferences } from '@/lib/client/preferences'
import { ExportPanel } from './export-panel'
import { toListExport } from './list-export'
import type { ListRow, ListRowsResult, ListSpec, ListViewState } from './spec'

afterEach(cleanup)

const spec = { resource: 'payments', one: 'payment', many: 'payments' } as ListSpec
const listView = {
  page: 1,
  size: 50,
  filters: {},
  resolved: {},
  tab: { query: {} },
} as unknown as ListViewState

function renderPanelText(read: Partial<Extract<ListRowsResult<ListRow>, { ok: true }>>): string {
  const listExport = toListExport(spec, listView, {
    ok: true,
    rows: [],
    names: [],
    unreadable: [],
    total: 3,
    readAt: '',
    ...read,
  })
  return (
    render(
      <SearchParamsContext value={new URLSearchParams()}>
        <PreferencesProvider initial={defaultPreferences} renderedAt="2026-11-24T00:00:00.000Z">
          <PageContextProvider
            context={
              {
                environment: 'sandbox',
                account: null,
                scope: null,
                person: { id: 'p' },
              } as PageContext
            }
          >
            <ExportPanel exported={listExport} onClose={() => {}} />
          </PageContextProvider>
        </PreferencesProvider>
      </SearchParamsContext>,
    ).container.textContent ?? ''
  )
}

test('says before a file is made which payments it cannot have', () => {
  const retentionSentence =
    'Payments in a final state from before Aug 16, 2026 (UTC) are kept at the provider only.'
  expect(renderPanelText({ keptSince: '2026-08-16T00:00:00.000Z' })).toContain(retentionSentence)
  cleanup()
  const completeExportText = renderPanelText({})
  expect(completeExportText).toContain('3 payments, on all pages.')
  expect(completeExportText).not.toContain('at the provider only')
})
