import { PageHeader, pageClasses } from '@/components/kits/layout/page-header'
import { Fact, FactList, Panel } from '@/components/kits/layout/panel'
import { AgeChip, RelativeTime } from '@/components/kits/layout/relative-time'
import { Skeleton } from '@/components/ui/skeleton'
import { ToneIcon } from '@/components/ui/tone'
import type { PageContext } from '@/lib/client/page-context'
import type {
  ServiceSettings,
  UnreadableFieldCount,
  WebhookSummary,
} from '@/lib/operations/service-check'
import { ConnectionCheck } from './connection-check'
import { WebhookSettings } from './webhooks'

const maxUnreadableFields = 50

/** Shows no values of unreadable fields, because Paydesk does not store them. */
function UnreadableFieldCounts({ parts }: { parts: readonly UnreadableFieldCount[] }) {
  if (parts.length === 0) {
    return (
      <p className="flex items-center gap-2 text-ink-2 text-sm">
        <ToneIcon tone="good" className="size-4 text-good" />
        All answers of the payments service were readable.
      </p>
    )
  }
  return (
    <div className="grid gap-2">
      <p className="text-ink-2 text-sm">
        The service sent these fields in an unknown format. All other data is shown, and each record
        page shows the raw value.
      </p>
      <table className="w-full text-sm">
        <caption className="sr-only">Unreadable fields, most frequent first</caption>
        <thead>
          <tr className="border-line border-b text-left text-ink-3 text-xs">
            <th scope="col" className="py-1 pr-2 font-medium">
              Field
            </th>
            <th scope="col" className="py-1 pr-2 text-right font-medium">
              Times
            </th>
            <th scope="col" className="py-1 text-right font-medium">
              Last
            </th>
          </tr>
        </thead>
        <tbody>
          {parts.slice(0, maxUnreadableFields).map(({ operation, path, count, last_at }) => (
            <tr
              key={`${operation} ${path}`}
              className="border-line border-b align-top last:border-b-0"
            >
              <td className="py-1 pr-2">
                <code className="break-all font-mono text-xs">
                  {path === '[]' ? 'a whole row' : path}
                </code>
                <span className="block text-ink-3 text-xs">{operation}</span>
              </td>
              <td className="py-1 pr-2 text-right tabular-nums">{count.toLocaleString('en-US')}</td>
              <td className="whitespace-nowrap py-1 text-right">
                <RelativeTime at={last_at} show="ago" className="text-ink-2" />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {parts.length > maxUnreadableFields && (
        <p className="text-ink-3 text-xs">
          {parts.length - maxUnreadableFields} more are not listed here.
        </p>
      )}
    </div>
  )
}

type SettingsProps = {
  context: PageContext
  settings: ServiceSettings
  unreadable: readonly UnreadableFieldCount[]
  webhooks: WebhookSummary
  /** Time (ISO) when the server read the data of this page. */
  readAt: string
}

export const Settings = ({ context, settings, unreadable, webhooks, readAt }: SettingsProps) => (
  <div className={pageClasses.wide}>
    <PageHeader
      title="Settings"
      meta={
        <>
          Payments service in{' '}
          <span className="font-semibold text-ink">{context.environment.toUpperCase()}</span>,
          configured on the server
        </>
      }
    />
    <div className="grid gap-4 xl:grid-cols-[minmax(20rem,2fr)_3fr] xl:items-start">
      <div className="grid gap-4">
        <Panel title="Configuration">
          <ServiceConfigurationFacts {...settings} />
        </Panel>
        <WebhookSettings context={context} summary={webhooks} />
        <Panel
          title="Unreadable responses since the server started"
          aside={<AgeChip at={readAt} limit={600_000} />}
        >
          <UnreadableFieldCounts parts={unreadable} />
        </Panel>
      </div>
      <ConnectionCheck environment={context.environment} />
    </div>
  </div>
)

const integrationLabels = {
  saas: 'SaaS platform: accounts own their customers',
  marketplace: 'marketplace: the platform owns the customers',
  account: 'direct account without a platform',
} as const
const amountUnitLabels = { minor: 'in cents', major: 'in dollars' } as const

const formatRateLimit = (limit: number | null): string =>
  limit === null ? 'no limit' : `${limit} requests per second, all instances together`

const CodeText = ({ children }: { children: string }) => (
  <code className="break-all font-mono text-xs">{children}</code>
)

const ServiceConfigurationFacts = (settings: ServiceSettings) => (
  <FactList>
    <Fact name="Address">
      <CodeText>{settings.origin}</CodeText>
      {settings.embedded && <span className="text-ink-3"> (embedded sandbox)</span>}
    </Fact>
    <Fact name="API key">
      fingerprint <CodeText>{settings.keyFingerprint}</CodeText>
    </Fact>
    <Fact name="Kind of integration">{integrationLabels[settings.integration]}</Fact>
    <Fact name="HTTP header that names the account">
      <CodeText>{settings.accountHeader}</CodeText>
    </Fact>
    <Fact name="Prefix of account IDs">
      {settings.accountPrefix === '' ? (
        'none: the bare UUID'
      ) : (
        <CodeText>{settings.accountPrefix}</CodeText>
      )}
    </Fact>
    <Fact name="API path of account-limit requests">
      <CodeText>{settings.capabilityRequestsPath}</CodeText>
    </Fact>
    <Fact name="Amounts in API requests">{amountUnitLabels[settings.amountUnit]}</Fact>
    <Fact name="Several values in one API request">
      {settings.listStyle === 'comma' ? 'comma-separated' : 'field repeated for each value'}
    </Fact>
    <Fact name="Consent type sent for a signed agreement">
      <CodeText>{settings.signedConsent}</CodeText>
    </Fact>
    <Fact name="Webhook secret">{settings.hasWebhookSecret ? 'set' : 'not set'}</Fact>
    <Fact name="Rate limit">{formatRateLimit(settings.rateLimit)}</Fact>
  </FactList>
)

export const SettingsSkeleton = () => (
  <div role="status" className="grid gap-4">
    <span className="sr-only">Loading</span>
    <div className="flex h-12 items-center">
      <Skeleton className="h-6 w-28" />
    </div>
    <div className="grid gap-4 xl:grid-cols-[minmax(20rem,2fr)_3fr] xl:items-start">
      <Skeleton className="h-80" />
      <Skeleton className="h-48" />
    </div>
  </div>
)
