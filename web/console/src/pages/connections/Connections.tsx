export default function Connections() {
  return null
}
