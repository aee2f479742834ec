/** Well-known routing numbers of large banks. They only reassure the person who types: the service adds the name of the bank itself. */
const bankNames: Readonly<Record<string, string>> = {
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

export const knownRoutingNumbers: readonly string[] = Object.keys(bankNames)

/** Returns a note about a typed routing number: the bank's name, if it is known. Undefined unless nine digits are typed. */
export function bankNameText(routing: string): string | undefined {
  if (!/^\d{9}$/.test(routing)) return undefined
  return bankNames[routing] ?? 'Bank name not known yet; the service adds it.'
}
