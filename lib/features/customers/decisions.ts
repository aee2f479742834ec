import type { ReadResult } from '@/lib/domain/check'
import { type DecisionReason, dataChangeReasons } from '@/lib/domain/reasons'
import { isFieldUnreadable } from '@/lib/domain/unreadable-rules'
import type { Warning } from '@/lib/domain/warnings'
import type { CustomerReview } from '@/lib/operations/customers.schema'

/** The decisions of a customer review, as the values that the service accepts. */
export type CustomerDecision = 'verified' | 'rejected'

/** The service accepts no reason, so only the action log stores it. */
export const customerReasons: Record<CustomerDecision, readonly DecisionReason[]> = {
  verified: [
    {
      code: 'DOCUMENTS_CHECKED',
      label: 'Documents verified',
      template: 'Identity documents were received and match the record.',
    },
    {
      code: 'FALSE_POSITIVE',
      label: 'False alarm',
      template: 'The finding was reviewed and is a false alarm.',
    },
    {
      code: 'DATA_CORRECTED',
      label: 'Data corrected',
      template: 'The mismatch was an entry error and has been corrected.',
    },
    {
      code: 'KNOWN_CUSTOMER',
      label: 'Established customer',
      template: 'An established customer, confirmed through a known channel.',
    },
  ],
  rejected: [
    {
      code: 'IDENTITY_MISMATCH',
      label: 'Identity does not match',
      template: 'The identity could not be matched to the documents.',
    },
    {
      code: 'WATCH_LIST_MATCH',
      label: 'On a watch list',
      template: 'The watch list match was confirmed.',
    },
    {
      code: 'SYNTHETIC_IDENTITY',
      label: 'Synthetic identity',
      template: 'The identity shows signs of a synthetic identity.',
    },
    {
      code: 'FRAUD_SIGNAL',
      label: 'Sign of fraud',
      template: 'The review showed a sign of fraud.',
    },
    {
      code: 'NO_ANSWER',
      label: 'No answer',
      template: 'The requested documents were not received.',
    },
  ],
}

/** `deactivate` stops new payments, `reactivate` permits them again. */
type CustomerChange = 'edit' | 'deactivate' | 'reactivate'

export const customerChangeReasons: Readonly<Record<CustomerChange, readonly DecisionReason[]>> = {
  edit: [
    {
      code: 'CUSTOMER_REQUEST',
      label: 'Customer request',
      template: 'The customer reported new details through a known channel.',
    },
    dataChangeReasons.corrected,
    dataChangeReasons.documents,
    dataChangeReasons.metadata,
  ],
  deactivate: [
    {
      code: 'CUSTOMER_LEFT',
      label: 'Customer left',
      template: 'The customer no longer does business with the account.',
    },
    {
      code: 'FRAUD_SIGNAL',
      label: 'Sign of fraud',
      template: 'A sign of fraud has to be reviewed before new payments.',
    },
    {
      code: 'RISK_SIGNAL',
      label: 'Risk signal',
      template: 'A risk signal has to be reviewed before new payments.',
    },
    {
      code: 'DUPLICATE_RECORD',
      label: 'Duplicate record',
      template: 'The same customer has another record.',
    },
  ],
  reactivate: [
    {
      code: 'CUSTOMER_RETURNED',
      label: 'Customer returned',
      template: 'The customer does business with the account again.',
    },
    {
      code: 'RISK_CLEARED',
      label: 'Risk cleared',
      template: 'The risk signal was reviewed and cleared.',
    },
    {
      code: 'DEACTIVATED_IN_ERROR',
      label: 'Deactivated in error',
      template: 'The customer was deactivated by mistake.',
    },
  ],
}

type WatchList = NonNullable<NonNullable<CustomerReview['identity_details']>['watch_list']>

/** A decision other than `accept` counts too, even without details. */
const hasWatchListMatch = ({
  decision,
  matched,
  matches,
}: Pick<WatchList, 'decision' | 'matched' | 'matches'>) =>
  matched.length + matches.length > 0 || (decision !== undefined && decision !== 'accept')

/** Without the review, all reasons are offered. */
export const listCustomerReasons = (
  decision: CustomerDecision,
  { data: review }: ReadResult<CustomerReview>,
): readonly DecisionReason[] => {
  const watchList = review?.identity_details?.watch_list
  const isWithoutMatch =
    review &&
    !isFieldUnreadable(review, 'identity_details.watch_list') &&
    !(watchList && hasWatchListMatch(watchList))
  return customerReasons[decision].filter(
    ({ code }) => !(isWithoutMatch && code === 'WATCH_LIST_MATCH'),
  )
}

export function listCustomerWarnings(
  decision: CustomerDecision,
  review: ReadResult<CustomerReview>,
): Warning[] {
  if (decision === 'rejected') return [{ code: 'reject_innocent' }, { code: 'reject_neutral' }]
  const loadedReview = review.data
  const watchList = loadedReview?.identity_details?.watch_list
  const warnings: Warning[] = [{ code: 'verify_modules' }]
  if (!loadedReview || isFieldUnreadable(loadedReview, 'identity_details.watch_list'))
    warnings.push({ code: 'verify_unread' })
  if (watchList && hasWatchListMatch(watchList)) warnings.push({ code: 'verify_watch_list' })
  return warnings
}
