/** The fault of a payment date that has passed; `today` is the day in New York. What is no date at all the schema names. */
export const pastDate = (date: string, today: string): Record<string, string> =>
  date !== '' && date < today ? { payment_date: 'has passed: choose today or a later day' } : {}
