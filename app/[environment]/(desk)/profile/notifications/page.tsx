import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import type { PageProps } from '@/app/_pages/open-page'
import { PageContextProvider } from '@/components/kits/layout/page-context'
import { PageHeader, pageClasses } from '@/components/kits/layout/page-header'
import { Panel } from '@/components/kits/layout/panel'
import { RefreshOnChanges } from '@/components/kits/layout/use-refresh'
import { NotificationChoicesPanel } from '@/components/notifications/choices'
import { NotificationList } from '@/components/notifications/notification-list'
import { countPersonQueues } from '@/lib/features/home/server/queue-counts'
import { listInAppNotifications } from '@/lib/features/notifications/server/in-app'
import { notificationsPath } from '@/lib/routes'
import { getCurrentActor } from '@/lib/server/auth/session'
import { loadPageContext } from '@/lib/server/http/page-context'
import { canMail } from '@/lib/server/mail/mailer'

export const metadata: Metadata = { title: 'Notifications' }

export default async function NotificationsPage({ params, searchParams }: PageProps) {
  const [{ environment }, search] = await Promise.all([params, searchParams])
  const context = await loadPageContext(environment, search, notificationsPath(environment))
  const actor = await getCurrentActor()
  if (!actor) notFound()
  const queueCounts = await countPersonQueues(actor, context.environment)
  const { notifications, choices } = await listInAppNotifications(
    actor,
    context.environment,
    queueCounts,
  )
  return (
    <PageContextProvider context={context}>
      <RefreshOnChanges resources={['actions', 'payments', 'paykeys', 'customers']} />
      <div className={pageClasses.text}>
        <PageHeader title="Notifications" meta={`Waiting for you in ${context.environment}`} />
        <Panel title="Now">
          <NotificationList context={context} notifications={notifications} />
        </Panel>
        <NotificationChoicesPanel
          choices={choices}
          email={context.person.email}
          canMail={canMail()}
        />
      </div>
    </PageContextProvider>
  )
}
