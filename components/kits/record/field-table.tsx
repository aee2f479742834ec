import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { Panel } from '@/components/kits/layout/panel'
import { cn } from '@/components/ui/cn'
import { Badge } from '@/components/ui/tone'
import { formatFieldLabel } from '@/lib/domain/field-label'
import { type AmountUnit, moneyText, toMinorUnits } from '@/lib/money'
import type { ComparedField } from '@/lib/operations/approvals'

const cellClasses = 'px-3 py-1.5 text-left align-top wrap-anywhere'

type FieldValueProps = {
  /** A dotted path. */
  name: string
  text: string | null
  /** The unit of amounts: the service's own, or cents if Paydesk sends the value. */
  unit: AmountUnit
}

/** An amount is shown as money. */
export function FieldValue({ name, text, unit }: FieldValueProps) {
  if (text === null) return <span className="text-ink-3">none</span>
  const minorUnits = /(^|[._])amount$/.test(name) ? toMinorUnits(text, unit) : null
  return <ExternalText>{minorUnits === null ? text : moneyText(minorUnits)}</ExternalText>
}

type FieldTableProps = {
  title: string
  fields: readonly ComparedField[]
  before: string
  after?: string
}

/** Shows one state of an object, or two side by side with the changed fields highlighted. */
export function FieldTable({ title, fields, before, after }: FieldTableProps) {
  const { amountUnit } = usePageContext()
  return (
    <Panel title={title} className="overflow-hidden">
      <div className="-m-3 overflow-x-auto">
        <table className="w-full table-fixed text-sm">
          <thead>
            <tr className="border-line border-b text-ink-3 text-xs">
              <th scope="col" className={cn(cellClasses, 'w-1/3 font-medium')}>
                Field
              </th>
              <th scope="col" className={cn(cellClasses, 'font-medium')}>
                {before}
              </th>
              {after && (
                <th scope="col" className={cn(cellClasses, 'font-medium')}>
                  {after}
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {fields.map((field) => (
              <tr
                key={field.name}
                className={cn(
                  'border-line border-b last:border-b-0',
                  field.changed && 'bg-selected',
                )}
              >
                <th scope="row" className={cn(cellClasses, 'font-normal text-ink-3')}>
                  {formatFieldLabel(field.name)} {field.changed && <Badge>Changed</Badge>}
                </th>
                <td className={cellClasses}>
                  <FieldValue name={field.name} text={field.seen} unit={amountUnit} />
                </td>
                {after && (
                  <td className={cn(cellClasses, field.changed && 'font-medium')}>
                    <FieldValue name={field.name} text={field.now} unit={amountUnit} />
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  )
}
