import type { ComponentType } from 'react'
import { AccountPanel } from '@/components/accounts/record/panel'
import { CustomerPanel } from '@/components/customers/record/panel'
import type { PanelProps } from '@/components/kits/record/record-panel'
import { PaykeyPanel } from '@/components/paykeys/record/panel'
import { ChargePanel, PayoutPanel } from '@/components/payments/record/panels'
import type { ApprovalDetail } from '@/lib/operations/approvals'
import type { PageContext } from '@/lib/operations/page-context'
import { isRecordGet } from '@/lib/operations/service-operations'
import { loadRecord } from './record'

const panels: Readonly<Record<string, ComponentType<PanelProps>>> = {
  payouts: PayoutPanel,
  charges: ChargePanel,
  paykeys: PaykeyPanel,
  customers: CustomerPanel,
  accounts: AccountPanel,
}

/** The target of the request. A new payment has none, so its bank account is shown. */
function findRecord({ action, sent }: ApprovalDetail): { resource: string; id: string } | null {
  const [resource, id] = action.target?.split('/') ?? []
  if (resource && id) return { resource, id }
  const paykeyId = sent.find(({ name }) => name === 'paykey_id')?.value
  return paykeyId ? { resource: 'paykeys', id: paykeyId } : null
}

type RequestedRecordProps = { context: PageContext; request: ApprovalDetail }

/** The record that an approval is about, with its checks, documents and history. */
export async function RequestedRecord({ context, request }: RequestedRecordProps) {
  const found = findRecord(request)
  const get = found ? `${found.resource}.get` : ''
  const Panel = found && panels[found.resource]
  if (!Panel || !isRecordGet(get)) return null
  return <Panel {...(await loadRecord(context, get, found.id))} />
}
