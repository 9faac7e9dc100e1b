-- Takes from buckets by the generic cell rate algorithm. A key keeps its
-- bucket's theoretical arrival time, in microseconds on Redis's clock. For each
-- key: the interval of one, how many the bucket holds, how many are taken. It
-- answers for each key whether they were, how far the time lies ahead, and how
-- long to wait. Behind a bucket that says no, nothing is taken.
local t = redis.call('TIME')
local now = tonumber(t[1]) * 1000000 + tonumber(t[2])
local answer, refused = {}, false
for i, key in ipairs(KEYS) do
  local interval, holds, take = tonumber(ARGV[3 * i - 2]), tonumber(ARGV[3 * i - 1]), tonumber(ARGV[3 * i])
  local before = tonumber(redis.call('GET', key) or now)
  if before < now then before = now end
  local after = before + interval * take
  local wait = after - holds * interval - now
  local ok = take <= 0 or (wait <= 0 and not refused)
  if ok then
    if after < now then after = now end
    if take ~= 0 then
      if after > now then
        redis.call('SET', key, string.format('%.3f', after), 'PX', math.ceil((after - now) / 1000))
      else
        redis.call('DEL', key)
      end
    end
    wait = 0
  else
    refused = true
    after = before
  end
  table.insert(answer, ok and 1 or 0)
  table.insert(answer, math.ceil(after - now))
  table.insert(answer, math.ceil(math.max(wait, 0)))
end
return answer
