/**
 * Shows the service's label of a bank account as lists show it: `CITIBANK NA - *9676` becomes
 * `CITIBANK NA ••••9676`. A label of another form is kept.
 */
export const formatBankLabel = (label: string): string =>
  label.replace(/(?: -)? \*+(\d{4})$/, ' ••••$1')
