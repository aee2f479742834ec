'use client'

import { focusOnMount } from '@/components/kits/layout/focus'
import { Link } from '@/components/kits/layout/link'
import { usePageContext } from '@/components/kits/layout/page-context'
import { buttonVariants } from '@/components/ui/button-variants'
import { Notice } from '@/components/ui/notice'
import type { DeletionView } from '@/lib/operations/deletion'
import { deletionPath } from '@/lib/routes'

export const CustomerNotFoundNotice = ({ isRequested }: { isRequested: boolean }) => (
  <Notice tone="neutral" title="Customer not found">
    <p>
      The payments service has no such customer in this account.{' '}
      {isRequested && 'A deletion was requested; whether that is the cause is not proven.'}
    </p>
  </Notice>
)

type CustomerDeletedNoticeProps = { request: DeletionView | null; justNow: boolean }

/**
 * Confirms the deletion and links to the certificate. Paydesk issues the certificate after it has
 * erased its own data, shortly after the service deleted the customer. If the deletion has just
 * happened on this page (`justNow`), the link takes the focus, because the button that had it has
 * been removed.
 */
export function CustomerDeletedNotice({ request, justNow }: CustomerDeletedNoticeProps) {
  const context = usePageContext()
  if (request?.state !== 'executed')
    return (
      <Notice tone="good" role="status" title="Customer permanently deleted">
        <p>
          The payments service deleted the customer. Paydesk is erasing its data about the person,
          and then issues the certificate here.
        </p>
      </Notice>
    )
  return (
    <Notice
      tone="good"
      role="status"
      title="Customer permanently deleted"
      actions={
        <Link
          ref={justNow ? focusOnMount : undefined}
          href={deletionPath(context, request.id)}
          className={buttonVariants({ variant: 'primary' })}
        >
          Open the certificate
        </Link>
      }
    >
      <p>
        The payments service deleted the customer, and Paydesk erased its data about the person.
      </p>
    </Notice>
  )
}
