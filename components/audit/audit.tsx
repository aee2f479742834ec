'use client'

import { EmptyState } from '@/components/kits/feedback/empty-state'
import { Link } from '@/components/kits/layout/link'
import { usePageContext } from '@/components/kits/layout/page-context'
import { PageHeader, pageClasses } from '@/components/kits/layout/page-header'
import { buttonVariants } from '@/components/ui/button-variants'
import type { AuditRow } from '@/lib/operations/audit'
import { auditPath } from '@/lib/routes'
import { AuditFilters, type FilterChoices } from './filters'
import { AuditTable } from './table'
import { VerifyPanel } from './verify-panel'

/** `given` (the filters in the URL) and `errors` are by filter name. */
export type AuditPageData = {
  rows: AuditRow[]
  hasNewer: boolean
  hasOlder: boolean
  given: Readonly<Record<string, string>>
  errors: Readonly<Record<string, string>>
  choices: FilterChoices
  whyNotVerify: string | null
  mayExportAll: boolean
}

function AuditPageLinks({ view: { rows, hasNewer, hasOlder, given } }: { view: AuditPageData }) {
  const context = usePageContext()
  const [first, last] = [rows[0], rows.at(-1)]
  if (!hasNewer && !hasOlder) return null
  const renderPageLink = (label: string, position: Record<string, string>) => (
    <Link
      href={auditPath(context, { ...given, ...position })}
      className={buttonVariants({ size: 'small' })}
    >
      {label}
    </Link>
  )
  return (
    <nav aria-label="Pages" className="flex gap-2">
      {hasNewer && renderPageLink('Newest', {})}
      {hasNewer && first && renderPageLink('Newer', { after: String(first.seq) })}
      {hasOlder && last && renderPageLink('Older', { before: String(last.seq) })}
    </nav>
  )
}

export function AuditPageView({ view }: { view: AuditPageData }) {
  const context = usePageContext()
  const { rows, given, errors } = view
  const isFiltered = Object.keys(given).length > 0
  return (
    <div className={pageClasses.wide}>
      <PageHeader title="Audit" meta="Actions that were done, requested or refused, newest first" />
      <VerifyPanel
        whyNot={view.whyNotVerify}
        filter={Object.keys(errors).length > 0 ? {} : given}
        mayExportAll={view.mayExportAll}
      />
      <AuditFilters
        action={auditPath(context)}
        given={given}
        errors={errors}
        choices={view.choices}
      />
      {rows.length > 0 ? (
        <>
          <AuditTable rows={rows} />
          <AuditPageLinks view={view} />
        </>
      ) : (
        <EmptyState title={isFiltered ? 'No row matches' : 'Nothing is on record yet'}>
          <p>
            {isFiltered
              ? 'Change or remove a filter.'
              : 'What people do and what they are refused is listed here.'}
          </p>
        </EmptyState>
      )}
    </div>
  )
}
