/**
 * The form shows the bank's name, so that the person can check the typed routing number. The name
 * in the record comes from the service.
 */
const bankNamesByRoutingNumber: Readonly<Record<string, string>> = {
  '021000021': 'JPMorgan Chase Bank',
  '322271627': 'JPMorgan Chase Bank',
  '111000614': 'JPMorgan Chase Bank',
  '071000013': 'JPMorgan Chase Bank',
  '044000037': 'JPMorgan Chase Bank',
  '026009593': 'Bank of America',
  '121000358': 'Bank of America',
  '121000248': 'Wells Fargo Bank',
  '111900659': 'Wells Fargo Bank',
  '021000089': 'Citibank',
  '091000022': 'U.S. Bank',
  '122105155': 'U.S. Bank',
  '043000096': 'PNC Bank',
  '031201360': 'TD Bank',
  '065000090': 'Capital One',
  '061000104': 'Truist Bank',
  '042000314': 'Fifth Third Bank',
  '041001039': 'KeyBank',
  '114000093': 'Frost Bank',
  '124003116': 'Ally Bank',
  '256074974': 'Navy Federal Credit Union',
  '314074269': 'USAA Federal Savings Bank',
}

export const knownRoutingNumbers: readonly string[] = Object.keys(bankNamesByRoutingNumber)

/** Undefined until nine digits are typed. */
export function findBankName(routingNumber: string): string | undefined {
  if (!/^\d{9}$/.test(routingNumber)) return undefined
  return bankNamesByRoutingNumber[routingNumber] ?? 'Bank name not known yet; the service adds it.'
}
