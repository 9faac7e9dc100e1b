export default function Calendar() {
  return null
}
