job "script" {
  type = "batch"
  group "g" {
    task "t" {
      driver = "raw_exec"
      config {
        command = "/bin/bash"
        args = ["-c", <<-EOF
          set -e

          for i in 1 2 3; do
            echo $i
          done
        EOF
        ]
      }
    }
  }
}
