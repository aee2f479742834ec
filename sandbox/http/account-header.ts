/** Whether the account header must be sent, may be sent, or is refused because the path or the body names the account. */
export type AccountPolicy = 'required' | 'optional' | 'forbidden'

export type AccountHeader = {
  /** As documents and refusals write it; on the wire the case does not matter. */
  name: string
  /** What a value must be, in words: "must be …". */
  form: string
  /** Every form it is taken in, for those who read what to send. */
  described: string
  /** The account's UUID in a value, in lower case; undefined for a value of another form. */
  read(value: string): string | undefined
}
