import { cn } from '@/components/ui/cn'
import {
  type AmountUnit,
  formatMinorUnits,
  moneyText,
  noCurrencyText,
  toMinorUnits,
} from '@/lib/money'

type AmountProps = {
  raw: string
  currency: string
  unit: AmountUnit
  className?: string
  /** -1 inverts the sign, for amounts whose sign at the service is not the one people expect. */
  sign?: 1 | -1
}

/**
 * A formatted amount: `$1,234.56`, or `1,234.56 CAD` for another currency. If `raw` is not a plain
 * amount, it is shown as received with "unit unclear"; the unit is never guessed. A missing amount
 * or currency is labeled as not readable.
 */
export function Amount({ raw, currency, unit, sign = 1, className }: AmountProps) {
  const minorUnits = toMinorUnits(raw, unit)
  if (raw === '')
    return (
      <span className={cn('whitespace-nowrap font-normal text-ink-2', className)}>
        Not readable
      </span>
    )
  if (minorUnits === null) {
    return (
      <span className={cn('whitespace-nowrap tabular-nums', className)}>
        {raw}{' '}
        <span className="font-medium text-2xs text-held">
          {currency || noCurrencyText}, unit unclear
        </span>
      </span>
    )
  }
  const isDollars = currency === 'USD'
  return (
    <span
      className={cn('whitespace-nowrap tabular-nums', className)}
      title={isDollars ? currency : undefined}
    >
      {isDollars ? (
        moneyText(minorUnits * sign)
      ) : (
        <>
          {formatMinorUnits(minorUnits * sign)}{' '}
          <span className="font-normal text-[0.8em] text-ink-3">{currency || noCurrencyText}</span>
        </>
      )}
    </span>
  )
}
