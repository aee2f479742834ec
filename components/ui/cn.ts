import { clsx } from 'clsx'

/** Joins class names. The `className` of a primitive sets position and size only; its variants set the look. */
export const cn = clsx
