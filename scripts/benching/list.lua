-- Script for wrk: sends the requests in the file LIST in order, over and over. Each thread starts at
-- a different place.
--
--     wrk -s list.lua URL -- LIST
--
-- LIST contains raw HTTP requests, one after the other. The report is one line of JSON.

local threads = 0

function setup(thread)
   thread:set("number", threads)
   threads = threads + 1
end

function init(args)
   local file = assert(io.open(args[1], "rb"))
   local text = file:read("*a")
   file:close()
   local requests = {}
   for request in text:gmatch("(.-\r\n\r\n)") do
      requests[#requests + 1] = request
   end
   -- At most two threads run; see load.py.
   local at = math.floor(#requests * number / 2)
   request = function()
      at = at % #requests + 1
      return requests[at]
   end
end

function done(summary)
   local errors = summary.errors
   print(string.format(
      '{"microseconds": %d, "answers": %d, "bytes": %d, "refused": %d, "socket_errors": %d}',
      summary.duration, summary.requests, summary.bytes,
      errors.status, errors.connect + errors.read + errors.write + errors.timeout))
end
