'use client'

import { ReasonFields } from '@/components/kits/action/reason-fields'
import { WarningTicks } from '@/components/kits/action/warning-ticks'
import type { ReasonAsked } from '@/components/kits/action/with-reason'
import { rowOf, type WriteId } from '@/lib/operations/rows'

/** Why, as the last part of a form that asks for it. */
export const ReasonGroup = ({ operation, reasons, form, warnings }: ReasonAsked & { operation: WriteId }) => (
  <div className="grid gap-3 rounded border border-line bg-surface p-3">
    <ReasonFields reasons={reasons} form={form} where={rowOf(operation).reason ?? 'kept'} />
    {warnings && <WarningTicks warnings={warnings} />}
  </div>
)
