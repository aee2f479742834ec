import type { Metadata } from 'next'
import type { PageProps } from '@/app/_pages/open-page'
import { EmptyState } from '@/components/kits/feedback/empty-state'
import { PageContextProvider } from '@/components/kits/layout/page-context'
import { Settings } from '@/components/settings/settings'
import {
  canOpenSettings,
  listUnreadableFieldCounts,
  readServiceSettings,
} from '@/lib/features/settings/server/service-settings'
import { settingsPath } from '@/lib/routes'
import { getCurrentActor } from '@/lib/server/auth/session'
import { loadPageContext } from '@/lib/server/http/page-context'
import { readWebhookSummary } from '@/lib/server/webhooks/summary'

export const metadata: Metadata = { title: 'Settings' }

export default async function SettingsPage({ params, searchParams }: PageProps) {
  const [{ environment }, search] = await Promise.all([params, searchParams])
  const context = await loadPageContext(environment, search, settingsPath(environment))
  const actor = await getCurrentActor()
  if (!actor || !(await canOpenSettings(actor, context.environment))) return <SettingsNotAllowed />
  return (
    <PageContextProvider context={context}>
      <Settings
        context={context}
        settings={readServiceSettings(context.environment)}
        unreadable={listUnreadableFieldCounts()}
        webhooks={await readWebhookSummary(context.environment)}
        readAt={new Date().toISOString()}
      />
    </PageContextProvider>
  )
}

const SettingsNotAllowed = () => (
  <EmptyState level={1} tone="bad" title="You don’t have access to the settings">
    <p>Only an admin of the whole platform can open the settings. An admin can grant this role.</p>
  </EmptyState>
)
